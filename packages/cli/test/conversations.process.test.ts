import { hash } from "node:crypto"
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TemporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { harness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

const script = [
  { calls: [{ tool: "read", arguments: { path: "a.txt" } }] },
  { calls: [{ tool: "edit", arguments: { path: "a.txt", old_text: "one", new_text: "two" } }] },
  {
    calls: [{ tool: "bash", arguments: { command: "echo made > b.txt; printf '\\0\\1' > c.bin" } }],
  },
  { text: "Done." },
]

/** A project in which a conversation has worked and is closed. */
async function worked() {
  const { project, run } = await job(home.path, { script })
  const { stdout, stderr, exitCode } = await run()
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  const id = /conversation ([0-9a-f]{12})/.exec(stdout)?.[1] ?? ""
  return { project, id }
}

const on = (...args: string[]) => harness(args, { home: home.path })
const one = hash("sha256", "one\n")

test("audit says what holds, in words and as JSON, and exits with 1 at a difference", async () => {
  const { id } = await worked()
  expect(await on("audit", "last")).toEqual({
    exitCode: 0,
    signal: null,
    stdout: expect.stringMatching(
      new RegExp(
        `^conversation ${id}\\nlog +\\d+ records · chained, to the stored head\\nintact +4 payloads · 1 process · 0 programs\\nit holds\\n$`,
      ),
    ),
    stderr: "",
  })
  const { stdout } = await on("audit", id.slice(0, 8), "--json")
  expect(JSON.parse(stdout)).toMatchObject({ conversation: id, holds: true, findings: [] })

  const [log = ""] = Object.keys(await home.files()).filter(
    path => path.includes(id) && path.endsWith("log.jsonl"),
  )
  appendFileSync(join(home.path, log), "x")
  const altered = await on("audit", id)
  expect(altered).toMatchObject({ exitCode: 1, stderr: "" })
  expect(altered.stdout).toMatch(
    /altered +log\.jsonl: after record \d+ come 1 bytes.*\n1 difference\n$/,
  )
})

test("diff tells what actions and commands did apart, and names what cannot be shown", async () => {
  const { id } = await worked()
  expect(await on("diff", id)).toEqual({
    exitCode: 0,
    signal: null,
    stdout: [
      "changed by actions",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,1 +1,1 @@",
      "-one",
      "+two",
      "",
      "changed while commands ran",
      "--- /dev/null",
      "+++ b/b.txt",
      "@@ -0,0 +1,1 @@",
      "+made",
      "c.bin: created -> 2 bytes (binary)",
      "",
    ].join("\n"),
    stderr: "",
  })
  const { stdout } = await on("diff", id, "--turn", "1", "--json")
  expect(JSON.parse(stdout)).toMatchObject({
    conversation: id,
    truncated: false,
    files: [
      { path: "a.txt", by: "actions", before: { sha256: one } },
      { path: "b.txt", by: "commands", before: null },
      { path: "c.bin", by: "commands", diff: "c.bin: created -> 2 bytes (binary)" },
    ],
  })
  expect(await on("diff", id, "--turn", "2")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error turn_unknown: /),
  })
})

describe("undo", () => {
  test("shows the list and does nothing without a yes", async () => {
    const { project, id } = await worked()
    const shown = expect.stringContaining("will be restored  a.txt\nwill be removed   b.txt\n")
    expect(await on("undo", id, "--dry-run")).toMatchObject({ exitCode: 0, stdout: shown })
    expect(await on("undo", id)).toMatchObject({
      exitCode: 2,
      stdout: shown,
      stderr: expect.stringMatching(/^error confirmation_required: /),
    })
    const refused = await harness(["undo", id], { home: home.path, terminal: true, stdin: "n\n" })
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: shown,
      stderr: "Undo 3 files? [y/N] nothing was undone\n",
    })
    expect(await project.text("a.txt")).toBe("two\n")
  })

  test("puts files back after a yes and exits with 1 when it left one as it is", async () => {
    const { project, id } = await worked()
    await project.write({ "b.txt": "by hand\n" })
    const { exitCode, stdout } = await harness(["undo", id], {
      home: home.path,
      terminal: true,
      stdin: "y\n",
    })
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(
        /done +a\.txt\nleft as it is +b\.txt +it holds something else by now\ndone +c\.bin\n2 files undone · 1 file left as it is\n$/,
      ),
    })
    expect(await project.files()).toEqual({ "a.txt": "one\n", "b.txt": "by hand\n" })
    expect(await on("audit", id)).toMatchObject({ exitCode: 0 })
  })
})

test("redact empties a content for good; gc has nothing to do for what is on record", async () => {
  const { id } = await worked()
  expect(await on("redact", id, one.slice(0, 12), "--reason", "a key")).toMatchObject({
    exitCode: 0,
    stdout: `redacted ${one.slice(0, 12)} (4 bytes)\nremoved artifacts/evidence/${one.slice(0, 2)}/${one}\nWhat the model was told of it stays in the log.\n`,
    stderr: "",
  })
  expect((await on("diff", id)).stdout).toContain("a.txt: 4 bytes -> 4 bytes (content redacted)\n")
  expect((await on("audit", id)).stdout).toMatch(/redacted +artifacts.*: a key\nit holds\n$/)
  expect(await on("redact", id, "none")).toMatchObject({ exitCode: 2 })
})

test("gc frees what is old and says how much, and a dry run removes nothing", async () => {
  const { id } = await worked()
  const dry = await on("gc", "--older-than", "0s", "--dry-run")
  expect(dry).toMatchObject({ exitCode: 0, stderr: "" })
  expect(dry.stdout).toMatch(new RegExp(`${id}  collected  \\d+ files · `))
  expect(dry.stdout).toMatch(/\nwould free [\d,]+ bytes in \d+ files\n$/)
  expect(JSON.parse((await on("gc", "--older-than", "0s", "--json")).stdout)).toMatchObject({
    conversations: expect.arrayContaining([
      expect.objectContaining({ conversation: id, status: "collected" }),
    ]),
  })
  expect((await on("gc", "--older-than", "0s")).stdout).not.toContain(id)
  expect(await on("audit", id)).toMatchObject({ exitCode: 0 })
  expect((await on("diff", id)).stdout).toContain("(content collected)")
})

test.each([["audit"], ["diff"], ["undo", "--yes"], ["redact", "aa"]])(
  "%s of a conversation that there is not is a wrong call",
  async (command, ...rest) => {
    expect(await on(command, "none", ...rest)).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error conversation_unknown: /),
    })
  },
)
