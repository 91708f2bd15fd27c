// The provider, the policy and the program runtime of docs/guide/packages.md, as they stand there.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { compiled, emptyHome, root } from "./support/homes.ts"

const usage = {
  input_tokens: 1,
  cached_input_tokens: null,
  output_tokens: 1,
  reasoning_tokens: null,
}

test("the packages of the guide install by a link and do what the guide says", async () => {
  const folder = await temporaryFolder({
    ...(await packageOf("A provider", { providers: [{ name: "parrot" }] })),
    ...(await packageOf("A policy", { policies: [{ name: "lockfiles" }] })),
    ...(await packageOf("A program runtime", { programs: [{ language: "calls" }] })),
    "project/a.txt": "a\n",
    "recording.jsonl": recordingOf([
      { call: "read_file", input: { path: "a.txt", limit: 1 } },
      { call: "write_file", input: { path: "package-lock.json", text: "{}" } },
    ]),
  })
  onTestFinished(() => folder.remove())
  const home = await emptyHome()
  const harness = (...args: string[]) =>
    runCli(args, {
      cwd: folder.path,
      env: { HARNESS_HOME: home.path, NODE_COMPILE_CACHE: compiled },
    })
  const run = (model: string, ...args: string[]) =>
    harness("run", "hello", "--folder", "project", "--model", model, ...args)

  await harness("install", join(root, "packages", "workspace"), "--link", "--yes")
  for (const name of ["a-provider", "a-policy", "a-program-runtime"]) {
    const installed = await harness("install", `./${name}`, "--link", "--yes")
    expect(installed).toMatchObject({ exitCode: 0, stderr: "" })
  }

  expect(await run("parrot/grey", "-p")).toMatchObject({ exitCode: 0, stdout: "hello\n" })

  const { stdout } = await run("replay/recording.jsonl", "--json")
  const events = stdout
    .trim()
    .split("\n")
    .map(line => JSON.parse(line))
  const results = events.filter(({ type }) => type === "action_ended").map(({ result }) => result)
  expect(results).toEqual([
    expect.objectContaining({ path: "a.txt", text: "a" }),
    {
      status: "denied",
      by: "policy:lockfiles",
      reason: "npm writes the lockfile: run npm install",
    },
  ])
})

/** A package with the code block of a section of the guide as its module. */
async function packageOf(section: string, contributes: object): Promise<Record<string, string>> {
  const guide = await readFile(join(root, "docs", "guide", "packages.md"), "utf8")
  const [, text = ""] = guide.split(`## ${section}\n`)
  const name = section.toLowerCase().replaceAll(" ", "-")
  const manifest = {
    name,
    version: "1.0.0",
    type: "module",
    exports: "./index.ts",
    harness: { api: 1, contributes },
  }
  return {
    [`${name}/package.json`]: JSON.stringify(manifest),
    [`${name}/index.ts`]: /^```ts\n(.*?)^```$/ms.exec(text)?.[1] ?? "",
  }
}

/** A model that runs the calls as one program, and then answers. */
function recordingOf(calls: readonly object[]): string {
  const source = calls.map(call => JSON.stringify(call)).join("\n")
  const call = {
    type: "call",
    id: "c1",
    tool: "run_program",
    arguments: JSON.stringify({ language: "calls", source }),
  }
  const lines = [
    { recording: 1, model: "recorded" },
    {
      expect: [],
      message: { role: "assistant", content: [call] },
      usage,
      finish: "tool_calls",
    },
    {
      expect: [{ status: "ok" }],
      message: { role: "assistant", content: [{ type: "text", text: "done" }] },
      usage,
      finish: "stop",
    },
  ]
  return lines.map(line => `${JSON.stringify(line)}\n`).join("")
}
