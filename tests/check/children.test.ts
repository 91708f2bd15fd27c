import { spawn } from "node:child_process"
import { once } from "node:events"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { run } from "../../scripts/support/children.mjs"
import { root } from "./tree.ts"

const children = pathToFileURL(`${root}scripts/support/children.mjs`).href

/** A script that stands in for another command, as scripts/harness.mjs does under an older Node. */
function standIn(command: string) {
  const script = `
    import { runInOurPlace } from ${JSON.stringify(children)}
    process.exitCode = await runInOurPlace(process.execPath, ["-e", ${JSON.stringify(command)}])
  `
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  })
}

test("a command that does not exist ends with 127, as in a shell", async () => {
  expect(await run("no-such-command-here", [], { captured: true })).toEqual({
    code: 127,
    output: "",
  })
})

test("a captured command's output and exit code come back", async () => {
  const script = 'console.log("out"); console.error("err"); process.exitCode = 3'

  expect(await run(process.execPath, ["-e", script], { captured: true })).toEqual({
    code: 3,
    output: "out\nerr\n",
  })
})

test("standing in for a command, its exit code is ours", async () => {
  expect(await once(standIn("process.exitCode = 5"), "close")).toEqual([5, null])
})

test("standing in for a command, a signal is passed on and the command decides how to end", async () => {
  const child = standIn(`
    process.on("SIGTERM", () => process.exit(143))
    setInterval(() => {}, 1000)
    console.log("ready")
  `)
  await once(child.stdout, "data")
  child.kill("SIGTERM")

  expect(await once(child, "close")).toEqual([143, null])
})

test("standing in for a command, we end by the signal that ended it", async () => {
  expect(await once(standIn('process.kill(process.pid, "SIGKILL")'), "close")).toEqual([
    null,
    "SIGKILL",
  ])
})
