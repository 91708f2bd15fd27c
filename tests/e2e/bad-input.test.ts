// What can be wrong with what a user or a model gives: one clear message, the documented exit code,
// and nothing half-written.
import { chmod } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ScriptedCall } from "../support/scripted-server.ts"
import { emptyHome, type Homes, prepareHomes } from "./support/homes.ts"
import { type JobOptions, startJob } from "./support/job.ts"
import { conversationsIn, ofType, readOnlyLog } from "./support/log.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

type Refusal = {
  when: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Put into HARNESS_HOME/config.jsonc. */
  config?: string
  exitCode: number
  /** `{project}` and `{home}` stand for their paths. */
  stderr: string
}

const refusals: Refusal[] = [
  {
    when: "the folder does not exist",
    args: ["--folder", "{project}/nowhere"],
    exitCode: 2,
    stderr: `error folder_missing: The folder {project}/nowhere does not exist.
next: Name an existing folder with --folder.
`,
  },
  {
    when: "the folder is a file",
    args: ["--folder", "{project}/a.txt"],
    exitCode: 2,
    stderr: `error folder_not_directory: {project}/a.txt is not a folder.
next: Name the folder that contains it with --folder.
`,
  },
  {
    when: "the kind is unknown",
    args: ["--kind", "garden"],
    exitCode: 2,
    stderr: `error kind_unknown: There is no kind garden.
next: Installed kinds: project.
`,
  },
  {
    when: "no model is named",
    env: { HARNESS_MODEL: "" },
    exitCode: 2,
    stderr: `error model_missing: No model was named.
next: Set HARNESS_MODEL=provider/model (for example openai-compatible/qwen3-coder), or pass --model.
`,
  },
  {
    when: "the model's provider is unknown",
    args: ["--model", "nobody/m"],
    exitCode: 2,
    stderr: `error model_unknown: The model nobody/m cannot be used: no provider nobody is installed.
next: Name it as provider/model; installed providers: openai-compatible, replay. To install: provider-anthropic, provider-openai, provider-google.
`,
  },
  {
    when: "the key is missing and the server is not on this machine",
    env: { OPENAI_API_KEY: "", OPENAI_BASE_URL: "http://models.invalid/v1" },
    exitCode: 2,
    stderr: `error key_missing: The provider openai-compatible needs a key and OPENAI_API_KEY is not set.
next: Set OPENAI_API_KEY for models.invalid, or store a key: harness login openai-compatible. For a server of your own set OPENAI_BASE_URL, for example http://127.0.0.1:11434/v1 for Ollama.
`,
  },
  {
    when: "the configuration is no JSON",
    config: '{\n  "model": "a/b"\n  "style": "tools"\n}\n',
    exitCode: 2,
    stderr: `error config_invalid: {home}/config.jsonc:3: style: comma expected.
next: Correct the value, or remove the key to get the default; \`harness config show\` lists all.
`,
  },
  {
    when: "a key of the configuration has a wrong value",
    config: '{\n  // how much\n  "limits": {\n    "max_steps": "many"\n  }\n}\n',
    exitCode: 2,
    stderr: `error config_invalid: {home}/config.jsonc:4: limits.max_steps: expected number, received string.
next: Correct the value, or remove the key to get the default; \`harness config show\` lists all.
`,
  },
  {
    when: "the recording does not exist",
    args: ["--model", "replay/{project}/none.jsonl"],
    exitCode: 2,
    stderr: `error replay_invalid: The recording {project}/none.jsonl cannot be played: there is no such file.
next: Name a recording that exists: --model replay/<path of recording.jsonl>.
`,
  },
  {
    when: "the limit of steps is no number",
    args: ["--max-steps", "some"],
    exitCode: 2,
    stderr: `error usage: option '--max-steps <count>' argument 'some' is invalid. It is not a number above 0; see harness run --help
`,
  },
]

test.for(refusals)(
  "when $when, it is said with the next step and nothing is begun",
  async refusal => {
    const { args = [], env = {}, config } = refusal
    const home = await homes.fresh()
    if (config !== undefined) await home.write({ "config.jsonc": config })
    const job = await startJob({ home, env, script: [] })
    const located = (text: string) =>
      text.replaceAll("{project}", job.project.path).replaceAll("{home}", home.path)

    const end = await job.run(...args.map(located))
    expect(end).toEqual({
      exitCode: refusal.exitCode,
      signal: null,
      stdout: "",
      stderr: located(refusal.stderr),
    })
    expect(await conversationsIn(home)).toEqual([])
    expect(await job.project.files()).toEqual({ "a.txt": "one\n" })
    expect(job.server.requests).toEqual([])
  },
)

test("when no kind is installed, it is said how to install one and nothing is begun", async () => {
  const home = await emptyHome()
  const job = await startJob({ home, script: [] })
  expect(await job.run()).toEqual({
    exitCode: 2,
    signal: null,
    stdout: "",
    stderr: `error kind_not_installed: No package that brings a kind of environment is installed.
next: Install one: harness install workspace (from a checkout: harness install ./packages/workspace --link).
`,
  })
  expect(await conversationsIn(home)).toEqual([])
})

describe("what a model does wrong is told to it, and the run goes on", () => {
  const wrong: { when: string; call: ScriptedCall; style?: "programs"; result: string }[] = [
    {
      when: "arguments that are no JSON",
      call: { tool: "bash", arguments: '{"command": "touch made' },
      result:
        '{"error":"malformed_arguments","message":"The arguments are not valid JSON (Unterminated string in JSON at position 23 (line 1 column 24)), so nothing was run. Send the call again."}',
    },
    {
      when: "arguments that are no object",
      call: { tool: "bash", arguments: '["touch made"]' },
      result:
        '{"error":"malformed_arguments","message":"The arguments are not a JSON object, so nothing was run. Send the call again."}',
    },
    {
      when: "an argument that is missing",
      call: { tool: "write", arguments: { path: "made" } },
      result:
        '{"error":"invalid_arguments","message":"text: Invalid input: expected string, received undefined"}',
    },
    {
      when: "a tool that does not exist",
      call: { tool: "shell", arguments: { command: "touch made" } },
      result:
        '{"error":"unknown_tool","message":"There is no tool shell. The tools are: read, write, edit, bash, ask_person."}',
    },
    {
      when: "a program with a syntax error",
      style: "programs",
      call: {
        tool: "run_program",
        arguments: {
          language: "python",
          source: 'run_command("touch made")\nif True print("made")\n',
        },
      },
      result: `  File "<program 1>", line 2
    if True print("made")
            ^^^^^
SyntaxError: invalid syntax
[error]`,
    },
    {
      when: "a program in a language that does not exist",
      style: "programs",
      call: { tool: "run_program", arguments: { language: "perl", source: "print 1" } },
      result:
        '{"error":"invalid_arguments","message":"language: Invalid input: expected \\"python\\""}',
    },
    {
      when: "a program that calls an action wrongly",
      style: "programs",
      call: {
        tool: "run_program",
        arguments: { language: "python", source: "read_file(name='a.txt')" },
      },
      result: `Traceback (most recent call last):
  File "<program 1>", line 1, in <module>
    read_file(name='a.txt')
    ~~~~~~~~~^^^^^^^^^^^^^^
TypeError: read_file() got an unexpected keyword argument 'name' (it takes: path, offset, limit, line, lines)
[error]`,
    },
  ]

  test.for(wrong)("$when", async ({ call, style = "tools", result }) => {
    const script = [{ calls: [call] }, { text: "I see." }]
    const job = await startJob({ home: await homes.fresh(), script })
    const { exitCode, stderr } = await job.run("--style", style, "-p")

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(job.server.requests[1]?.results).toEqual([result])
    expect(await job.project.files()).toEqual({ "a.txt": "one\n" })

    const { events, tornBytes } = await readOnlyLog(job.home)
    expect(ofType(events, "action_proposed")).toEqual([])
    expect(ofType(events, "turn_ended").map(({ ending }) => ending)).toEqual([
      { status: "answered" },
    ])
    expect(tornBytes).toBe(0)
  })
})

test("a file that may not be read is refused to the model by name, and the run goes on", async () => {
  const script = [
    { calls: [{ tool: "read", arguments: { path: "secret.txt" } }] },
    { text: "I may not read it." },
  ]
  const files = { "secret.txt": "hidden\n" }
  const job = await startJob({ home: await homes.fresh(), script, files, ...asOrdinaryUser() })
  await chmod(job.project.at("secret.txt"), 0o000)

  const { exitCode, stdout, stderr } = await job.run("-p")
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "I may not read it.\n",
    stderr: "",
  })
  expect(job.server.requests[1]?.results).toEqual([
    '{"error":"unreadable","path":"secret.txt","message":"secret.txt cannot be read: EACCES. Check the file\'s permissions."}',
  ])
})

/** Root may read everything, unless it gives that right up. */
function asOrdinaryUser(): Pick<JobOptions, "under"> {
  if (process.getuid?.() !== 0) return {}
  const withoutRight = "-dac_override,-dac_read_search"
  return { under: ["setpriv", `--bounding-set=${withoutRight}`, `--inh-caps=${withoutRight}`] }
}
