// A plain Pyodide in this process, with the probe: the control of the lock-down's tests.
import { readFileSync } from "node:fs"
import { loadPyodide } from "pyodide"

const python = await loadPyodide()
python.runPython(readFileSync(new URL("./environment_probe.py", import.meta.url), "utf8"))
process.exit(0)
