import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { type Script, startScriptedServer } from "../support/scripted-server.ts"
import { type Consumer, newConsumer, tarball } from "./consumer.ts"

const { version } = JSON.parse(await readFile("packages/cli/package.json", "utf8"))
const onWindows = process.platform === "win32"

let consumer: Consumer
let harness: string

beforeAll(async () => {
  consumer = await newConsumer()
  const globally = ["install", "--global", "--prefix", consumer.path, "--no-audit", "--no-fund"]
  await consumer.must("npm", [...globally, tarball("@harness/cli")])
  harness = join(consumer.path, onWindows ? "harness.cmd" : "bin/harness")
})

afterAll(() => consumer.remove())

test("the packed command tells its version and its commands", async () => {
  expect(await consumer.must(harness, ["--version"])).toBe(`${version}\n`)
  expect(await consumer.must(harness, ["--help"])).toMatch(/^Usage: harness /)
})

test("the packed bin gets to its check of Node's version on an old Node", async () => {
  const { bin } = JSON.parse(await readFile("packages/cli/package.json", "utf8"))
  const installed = join(consumer.path, onWindows ? "" : "lib", "node_modules", "@harness", "cli")

  expect(await builtinsOf(join(installed, bin.harness))).toEqual(["fs"])
})

/** The modules of Node that are imported when a built module is linked. */
async function builtinsOf(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8")
  const specifiers = [...text.matchAll(/\b(?:import|from)["']([^"']+)["']/g)].map(
    ([, name = ""]) => name,
  )
  const found = await Promise.all(
    specifiers.map(name =>
      name.startsWith("./") ? builtinsOf(join(dirname(file), name)) : [name.replace("node:", "")],
    ),
  )
  return [...new Set(found.flat())].sort()
}

test("what starts together lies in few files of the packed command", async () => {
  const recorder = new URL("../../packages/cli/test/support/record-modules.mjs", import.meta.url)
  const file = join(consumer.path, "modules")
  await consumer.must(harness, ["list"], {
    NODE_OPTIONS: `--import=${recorder.href}`,
    RECORD_MODULES_TO: file,
  })

  const loaded = (await readFile(file, "utf8")).trim().split("\n")
  expect(loaded.length).toBeLessThan(20)
})

test("the packed command has its built-in packages, and none of ours came from a registry", async () => {
  const listed = await consumer.must(harness, ["list"])

  expect(listed.match(/^@harness\/\S+/gm)).toEqual([
    "@harness/programs-python",
    "@harness/provider-openai-compatible",
    "@harness/provider-replay",
  ])
  expect(await consumer.must("npm", ["ls", "--global", "--all", "--parseable"])).not.toMatch(
    /@harness[\\/](?!cli$)[^\\/\n]+$/m,
  )
})

test("with the packed workspace installed, a model works by single tools", async () => {
  await consumer.write("tools/note.txt", "one\n")
  await installWorkspace()

  const output = await runWith("tools", [
    { calls: [{ tool: "read", arguments: { path: "note.txt" } }] },
    {
      calls: [
        { tool: "edit", arguments: { path: "note.txt", old_text: "one", new_text: "two" } },
        { tool: "bash", arguments: { command: "cat note.txt" } },
      ],
    },
    { text: "The note says two." },
  ])

  expect(output).toBe("The note says two.\n")
  expect(await readFile(join(consumer.path, "tools", "note.txt"), "utf8")).toBe("two\n")
})

test("what the packed command has spent is summed, and the sums are kept in an index", async () => {
  const { rows } = JSON.parse(await consumer.must(harness, ["stats", "--by", "model", "--json"]))
  expect(rows).toMatchObject([{ group: "openai-compatible/scripted", steps: 3 }])
  const index = await readFile(join(consumer.path, "home", ".harness", "index.db"), "latin1")
  expect(index.startsWith("SQLite format 3")).toBe(true)
})

test("with the packed workspace installed, a model works by Python programs", async () => {
  await consumer.write("programs/note.txt", "one\n")
  await installWorkspace()

  const source = [
    'note = read_file("note.txt")',
    'edit_file("note.txt", "one", "two")',
    'print(run_command(["cat", "note.txt"])["output"])',
  ].join("\n")
  const output = await runWith("programs", [
    { calls: [{ tool: "run_program", arguments: { language: "python", source } }] },
    { text: "The note says two." },
  ])

  expect(output).toBe("The note says two.\n")
  expect(await readFile(join(consumer.path, "programs", "note.txt"), "utf8")).toBe("two\n")
})

test("the packed command has the grammar that a rule about a compound command line needs", async () => {
  await consumer.write("tools/note.txt", "two\n")
  const rules = ["cat", "grep"].map(command => ({ verdict: "allow", command }))
  await consumer.write("home/.harness/config.jsonc", JSON.stringify({ rules }))
  await installWorkspace()

  const bash = (command: string) => ({ calls: [{ tool: "bash", arguments: { command } }] })
  const output = await runWith(
    "tools",
    [
      bash("cat note.txt | grep two && rm note.txt"),
      bash("cat note.txt | grep two"),
      { text: "It says two." },
    ],
    ["--approve", "gate", "--json"],
  )
  const verdicts = [...output.matchAll(/"verdict":"(\w+)","rule":"([^"]+)"/g)]
  expect(verdicts.map(([, verdict, rule]) => `${verdict} ${rule}`)).toEqual([
    "ask mode:gate",
    "allow rule:1 + rule:2",
  ])
})

function installWorkspace() {
  return consumer.must(harness, ["install", tarball("@harness/workspace"), "--yes"])
}

/** The answer alone, as `-p` prints it; with other options what they print. */
async function runWith(style: "tools" | "programs", script: Script, options = ["-p"]) {
  const server = await startScriptedServer({ script })
  onTestFinished(() => server.close())

  const folder = join(consumer.path, style)
  const choices = ["--folder", folder, "--style", style]
  return consumer.must(harness, ["run", "Change the note", ...options, ...choices], {
    HARNESS_MODEL: "openai-compatible/scripted",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "consumer-key",
  })
}
