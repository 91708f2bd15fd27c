import { execFile } from "node:child_process"
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { javascriptEscapes } from "./support/escapes/javascript.ts"
import { worldEscapes } from "./support/escapes/world.ts"
import { childrenOf, interpretersOf } from "./support/processes.ts"
import { startPython, type TestSession, temporaryFolder } from "./support/python.ts"

const token = "fake-token-3f1c9a"
const escapes = [...javascriptEscapes, ...worldEscapes]
const source = dirname(fileURLToPath(new URL("../src/index.ts", import.meta.url)))
const pyodide = dirname(realpathSync(join(source, "../node_modules/pyodide/package.json")))

/** Looks wherever a variable of the process that started it could be seen. */
const probe = readFileSync(new URL("./support/environment_probe.py", import.meta.url), "utf8")

// The first has to load without a snapshot and leaves one for the second.
const folder = temporaryFolder()
afterAll(() => folder.remove())

describe.each(["without a snapshot", "from the snapshot"])("a program %s", () => {
  let python: TestSession
  let server: Server
  let port = 0
  let connections = 0

  beforeAll(async () => {
    process.env.HARNESS_FAKE_TOKEN = token
    writeFileSync(join(folder.path, "secret"), token)
    server = createServer(socket => {
      connections += 1
      socket.on("error", () => {}).end("reached")
    })
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    if (address !== null && typeof address === "object") port = address.port
    python = await startPython(folder.path)
  })

  afterAll(async () => {
    delete process.env.HARNESS_FAKE_TOKEN
    await python.session.dispose()
    server.close()
  })

  test.each(escapes)("does not get out by $name", async ({ source: body, blocked, harmless }) => {
    const { end, stdout } = await python.run(attempt(fill(body)))

    expect(end.status).toBe("ok")
    const [verdict = "", ...reached] = stdout.trim().split(" ")
    if (blocked) expect(stdout).toMatch(new RegExp(`^blocked [^]*?(${blocked.source})`))
    else
      expect([verdict, reached.join(" ")]).toEqual([
        "REACHED",
        expect.stringMatching(harmless?.reaches ?? /never/),
      ])
  })

  test("has left no process, no connection and no file when all of them were tried", () => {
    const [pid = 0] = interpretersOf(process.pid)
    expect(childrenOf(pid)).toEqual([])
    expect(connections).toBe(0)
    expect(existsSync(join(folder.path, "escaped"))).toBe(false)
  })

  test("finds no variable of the process that started it", async () => {
    const { end, stdout } = await python.run(probe)
    expect(end.status).toBe("ok")
    expect(stdout).not.toContain(token)
    expect(stdout).toContain("os.environ")
  })

  function fill(body: string): string {
    return body
      .replaceAll("{port}", String(port))
      .replaceAll("{file}", join(folder.path, "escaped"))
      .replaceAll("{secret}", join(folder.path, "secret"))
      .replaceAll("{own}", source)
      .replaceAll("{pyodide}", pyodide)
  }
})

test("the same probe does find a variable in an interpreter that is not locked", async () => {
  const unlocked = fileURLToPath(new URL("./support/unlocked.mjs", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [unlocked], {
    env: { HARNESS_FAKE_TOKEN: token },
  })
  expect(stdout).toContain(token)
})

/** The body as a function, and what came of it in one line. */
function attempt(body: string): string {
  return `import sys
def attempt():
${body.replace(/^/gm, "    ")}
try:
    print("REACHED", attempt())
except BaseException as error:
    print("blocked", type(error).__name__, error)`
}

test("the process of an interpreter has no environment at all", async () => {
  const python = await startPython(folder.path)
  try {
    await python.run("1")
    const [pid, ...others] = interpretersOf(process.pid)
    expect(others).toEqual([])
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toBe("")
  } finally {
    await python.session.dispose()
  }
})
