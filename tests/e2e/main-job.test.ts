// `npm start`, as a newcomer runs it: the job on both examples, and what it printed.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { startScriptedServer } from "../support/scripted-server.ts"
import { answersOf } from "./support/example.ts"
import { type ExampleEnd, startExample } from "./support/start-example.ts"

test("the job on the parser example tells all that happens, and ends verified", async () => {
  const end = await startExample([])
  expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 0, stderr: "" })

  await expect(told(end)).toMatchFileSnapshot("__snapshots__/start.parser-bug.txt")
  expect(await changedIn(end.project)).toEqual([" M src/parse.js", "?? test/quotes.test.js"])
})

test("the job on a published package shows its fault first, fixes it, and ends verified", async () => {
  const end = await startExample(["ini"])
  expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 0, stderr: "" })

  await expect(told(end)).toMatchFileSnapshot("__snapshots__/start.ini.txt")
  expect(await changedIn(end.project)).toEqual([" M ini.js", "?? test/proto.test.js"])
})

test("with a model of the user's own the job asks that model, and says so first", async () => {
  const server = await startScriptedServer({ script: await answersOf("parser-bug") })
  const end = await startExample([], {
    HARNESS_MODEL: "openai-compatible/scripted",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "not-a-key",
  })
  await server.close()

  expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 0, stderr: "" })
  expect(end.lines[0]).toBe("start: the model is openai-compatible/scripted")
  expect(end.lines.slice(-2)).toEqual([
    "verification passed · node --test",
    "answered · 5 steps · conversation <id>",
  ])
  expect(server.requests).toHaveLength(5)
  expect(await changedIn(end.project)).toEqual([" M src/parse.js", "?? test/quotes.test.js"])
})

test("an example that does not exist is refused with the names of those that do", async () => {
  const { exitCode, stderr, lines } = await startExample(["parser"])
  expect({ exitCode, stderr, lines }).toEqual({
    exitCode: 1,
    stderr: "harness: there is no example `parser`; there are: ini, parser-bug\n",
    lines: [""],
  })
})

/**
 * All that was printed but for what differs between machines, and for what is looked at elsewhere:
 * the programs' sources, what they print, and the text of the changes.
 */
function told({ lines }: ExampleEnd): string {
  const changes = {
    from: lines.findIndex(line => line.startsWith("--- ")),
    to: lines.indexOf("receipts"),
  }
  const kept = lines.filter((line, index) =>
    index >= changes.from && index < changes.to
      ? /^(---|\+\+\+) /.test(line)
      : !leftOut.some(pattern => pattern.test(line)),
  )
  return `${kept.join("\n")}\n`
}

const leftOut = [
  /^$/,
  /^start: (containment has|there is no working)/,
  // Only the first start of a checkout installs the kind; later ones say that it is there.
  /^(installed )?@harness\/workspace /,
  /^ {2}(from|contributes|may use) {2}/,
  /^ {2}│/,
  /^ {4}(?!exited)/,
]

/** What git says of the copy: it had one commit of the project as it was found. */
async function changedIn(project: string): Promise<string[]> {
  const status = ["status", "--porcelain", "--untracked-files=all"]
  const { stdout } = await promisify(execFile)("git", status, { cwd: project })
  return stdout.trimEnd().split("\n")
}
