// What a developer starts all day works in the sandbox as outside.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { makeSandboxes, SEARCH_PATH } from "./support/run.ts"
import { makeWorld, type World } from "./support/world.ts"

const repository = fileURLToPath(new URL("../..", import.meta.url))
const bin = join(repository, "node_modules/.bin")
// With the repository's own tools: it may lie below /tmp, where a command has a fresh folder.
const searchPath = `${bin}:${dirname(process.execPath)}:${SEARCH_PATH}`

const self = { name: "whoever runs this", ids: undefined, remove: () => {} }
const sandboxes = makeSandboxes(searchPath)
let world: World

beforeAll(() => {
  world = makeWorld(self, "a project in the home folder")
})

afterAll(() => {
  world.remove()
  sandboxes.remove()
})

function put(content: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(content)) {
    mkdirSync(dirname(join(world.root, name)), { recursive: true })
    writeFileSync(join(world.root, name), text)
  }
}

function run(script: string, unixSockets = false) {
  return sandboxes.run(["sh", "-c", script], {
    world,
    policy: { env: { PATH: searchPath }, unixSockets },
  })
}

test("tsc finds what is wrong with a file", async () => {
  put({ "checked.ts": "export const one: string = 1\n" })

  const { code, output } = await run(`${bin}/tsc --noEmit --ignoreConfig checked.ts`)

  expect({ code, output }).toEqual({
    code: expect.toSatisfy(exit => exit !== 0),
    output: expect.stringContaining(
      "error TS2322: Type 'number' is not assignable to type 'string'.",
    ),
  })
})

test("vitest runs tests in processes of its own", async () => {
  put({
    "sum.test.mjs": `
      import { expect, test } from "vitest"
      test("adds", () => expect(1 + 1).toBe(2))
    `,
  })
  symlinkSync(join(repository, "node_modules/vitest"), join(world.root, "node_modules/vitest"))

  const { code, output } = await run(`${bin}/vitest run --pool forks sum.test.mjs`)

  expect(output).toMatch(/1 passed/)
  expect(code).toBe(0)
})

test("git commits what was changed, and tells it", async () => {
  put({ "new.txt": "new\n" })
  const script =
    "git add new.txt && git -c user.name=a -c user.email=a@b.c commit -qm new && git log -1 --format=%s --name-only"

  expect(await run(script)).toEqual({ code: 0, signal: null, output: "new\n\nnew.txt\n" })
})

test("gcc builds a program that runs", async () => {
  put({ "main.c": '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n' })

  expect(await run("gcc -o main main.c && ./main")).toEqual({
    code: 0,
    signal: null,
    output: "built\n",
  })
})

test("python3 runs its work in processes of its own", async () => {
  put({
    "work.py": `
from multiprocessing import Pool, Queue

def square(number):
    return number * number

if __name__ == "__main__":
    Queue().put(1)
    with Pool(2) as pool:
        print(pool.map(square, [1, 2, 3]))
`,
  })

  expect(await run("python3 work.py")).toEqual({ code: 0, signal: null, output: "[1, 4, 9]\n" })
})

test("a server on the loopback answers a client of the same command", async () => {
  put({
    "server.mjs": `
      import { createServer } from "node:http"
      const server = createServer((_, response) => response.end("answered")).listen(0, "127.0.0.1")
      await new Promise(resolve => server.once("listening", resolve))
      console.log(await (await fetch("http://127.0.0.1:" + server.address().port)).text())
      server.close()
    `,
  })

  expect(await run("node server.mjs")).toEqual({ code: 0, signal: null, output: "answered\n" })
})

test("node runs TypeScript, hooks that are registered first, threads and forks", async () => {
  put({
    "hook.mjs":
      'import { register } from "node:module"\nregister("./loader.mjs", import.meta.url)\n',
    "loader.mjs": `
      export const resolve = (name, context, next) =>
        name === "made:up" ? { url: "data:text/javascript,export default 'hooked'", shortCircuit: true } : next(name, context)
    `,
    "main.mts": `
      import { fork } from "node:child_process"
      import { Worker } from "node:worker_threads"
      import hooked from "made:up"
      if (process.send) process.send("forked")
      else {
        console.log(hooked satisfies string)
        const child = fork(new URL(import.meta.url))
        child.once("message", message => {
          console.log(message)
          new Worker("require('node:worker_threads').parentPort.postMessage('threaded')", { eval: true })
            .once("message", message => console.log(message))
        })
      }
    `,
  })

  expect(await run("node --no-warnings --import ./hook.mjs main.mts")).toEqual({
    code: 0,
    signal: null,
    output: "hooked\nforked\nthreaded\n",
  })
})

test("a program of harness's own PATH below /tmp is there, what lies beside it is not", async () => {
  const folder = await temporaryFolder({
    "tool/bin/greet":
      '#!/bin/sh\ncat "$(dirname "$0")/../lib/words"\necho x 2> /dev/null > "$0" || echo read-only\n',
    "tool/lib/words": "hello\n",
    "beside.txt": "not for commands\n",
  })
  onTestFinished(() => folder.remove())
  chmodSync(folder.at("tool/bin/greet"), 0o755)
  const path = `${folder.at("tool/bin")}:${SEARCH_PATH}`
  const below = makeSandboxes(path)
  onTestFinished(() => below.remove())

  const { output } = await below.run(["sh", "-c", `greet; ls ${folder.path}`], {
    world,
    policy: { env: { PATH: path } },
  })

  expect(output).toBe("hello\nread-only\ntool\n")
})

test("a program that needs a unix socket works with the setting, and is refused without", async () => {
  put({
    "socket.mjs": `
      import { connect, createServer } from "node:net"
      const path = process.env.TMPDIR + "/own.sock"
      const server = createServer(socket => socket.end("answered")).listen(path)
      server.once("error", error => console.log(error.code))
      server.once("listening", () =>
        connect(path).on("data", data => console.log(String(data))).on("end", () => server.close()))
    `,
  })

  expect(await run("node socket.mjs", true)).toEqual({
    code: 0,
    signal: null,
    output: "answered\n",
  })
  expect(await run("node socket.mjs")).toEqual({ code: 0, signal: null, output: "EPERM\n" })
})
