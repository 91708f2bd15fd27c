import type { Escape } from "./escape.ts"

const code = (javascript: string) =>
  `f = sys.modules["_harness.functions"].host_call\nreturn f.constructor(${JSON.stringify(javascript)})()`
const noConstructor = /AttributeError|EvalError/

/** Routes to JavaScript that runs, and by it to Node. */
export const javascriptEscapes: readonly Escape[] = [
  // JavaScript's globals
  { name: "js.process", source: "import js\nreturn js.process.version", blocked: /AttributeError/ },
  { name: "js.process.env", source: "import js\nreturn js.process.env", blocked: /AttributeError/ },
  { name: "js.eval", source: "import js\nreturn js.eval('1')", blocked: /AttributeError/ },
  {
    name: "run_js: process",
    source: "from pyodide.code import run_js\nreturn run_js('process.cwd()')",
    blocked: /ImportError/,
  },
  {
    name: "run_js: require, fetch, Worker",
    source: "from pyodide.code import run_js\nreturn run_js('typeof require + typeof fetch')",
    blocked: /ImportError/,
  },

  // Code from a constructor
  {
    name: "host function: process",
    source: code("return process.version"),
    blocked: noConstructor,
  },
  {
    name: "host function: child_process",
    source: code(`return process.getBuiltinModule("child_process").execSync("id > {file}")`),
    blocked: noConstructor,
  },
  {
    name: "host function: read a file",
    source: code(`return process.getBuiltinModule("fs").readFileSync("{secret}", "utf8")`),
    blocked: noConstructor,
  },
  {
    name: "host function: write a file",
    source: code(`return process.getBuiltinModule("fs").writeFileSync("{file}", "x")`),
    blocked: noConstructor,
  },
  {
    name: "host function: process.binding",
    source: code(`return process.binding("spawn_sync")`),
    blocked: noConstructor,
  },
  {
    name: "host function: Worker",
    source: code(
      `const { Worker } = process.getBuiltinModule("worker_threads"); return new Worker("process.getBuiltinModule('fs').writeFileSync('{file}', 'x')", { eval: true }).threadId`,
    ),
    blocked: noConstructor,
  },
  {
    name: "host function: net",
    source: code(`return process.getBuiltinModule("net").connect({port}, "127.0.0.1")`),
    blocked: noConstructor,
  },
  {
    name: "host function: dgram",
    source: code(`return process.getBuiltinModule("dgram").createSocket("udp4").bind(0)`),
    blocked: noConstructor,
  },
  {
    name: "host function: signal the parent",
    source: code("return process.kill(process.ppid, 0)"),
    blocked: noConstructor,
  },
  {
    name: "host function: own environ",
    source: code(
      `return process.getBuiltinModule("fs").readFileSync("/proc/self/environ", "utf8")`,
    ),
    blocked: noConstructor,
  },
  {
    name: "host function: the parent's environ",
    source: code(
      `return process.getBuiltinModule("fs").readFileSync("/proc/" + process.ppid + "/environ", "utf8")`,
    ),
    blocked: noConstructor,
  },
  {
    name: "host function: the parent's descriptors",
    source: code(
      `return process.getBuiltinModule("fs").readdirSync("/proc/" + process.ppid + "/fd")`,
    ),
    blocked: noConstructor,
  },
  {
    name: "host function: createRequire",
    source: code(
      `return process.getBuiltinModule("module").createRequire("/")("fs").readdirSync("/home").join()`,
    ),
    blocked: noConstructor,
  },
  {
    name: "host function: inspector",
    source: code(`return process.getBuiltinModule("inspector").open(0, "127.0.0.1")`),
    blocked: noConstructor,
  },
  {
    name: "host function: dlopen",
    source: code(`return process.dlopen({ exports: {} }, "/x.node")`),
    blocked: noConstructor,
  },
  {
    name: "Object.constructor",
    source: "import js\nreturn js.Object.constructor('return process.version')()",
    blocked: noConstructor,
  },
  {
    name: "setTimeout.constructor",
    source: "import js\nreturn js.setTimeout.constructor('return process.version')()",
    blocked: noConstructor,
  },
  {
    name: "to_js([]).constructor.constructor",
    source:
      "from pyodide.ffi import to_js\nreturn to_js([1]).constructor.constructor('return process.version')()",
    blocked: noConstructor,
  },
  {
    name: "pyodide_js._module.constructor.constructor",
    source:
      "import pyodide_js\nreturn pyodide_js._module.constructor.constructor('return process.pid')()",
    blocked: noConstructor,
  },
  {
    name: "a JavaScript error's constructor",
    source: `import js
try:
    js.Object.defineProperty(1, 2)
except Exception as error:
    return error.constructor.constructor('return process.version')()`,
    blocked: noConstructor,
  },
  {
    name: "an async function's prototype",
    source: `import js, pyodide_js
return js.Object.getPrototypeOf(pyodide_js.loadPackage).constructor('return process.version')()`,
    blocked: noConstructor,
  },
  {
    name: "the functions of a stack trace",
    source: `import js
from pyodide.ffi import create_proxy
found = []
def prepare(error, sites):
    found.extend(str(site.getFunction() or site.getThis()) for site in sites)
    return ""
try:
    js.Object.defineProperty(1, 2)
except Exception as error:
    error.constructor.prepareStackTrace = create_proxy(prepare)
    error.constructor.stackTraceLimit = 100
try:
    js.Object.defineProperty(1, 2)
except Exception as error:
    error.stack
return [each for each in found if each not in ("None", "undefined")] or 1 / 0`,
    blocked: /ZeroDivisionError/,
  },
]
