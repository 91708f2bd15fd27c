import { dirname } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TemporaryFolder, temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { harness } from "./support/harness.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
let project: TemporaryFolder
beforeAll(async () => {
  ;[home, project] = await Promise.all([linkedHome(), temporaryFolder({ "a.txt": "one\n" })])
})
afterAll(() => Promise.all([home.remove(), project.remove()]))

const env = { HARNESS_MODEL: "openai-compatible/m", OPENAI_API_KEY: "not-a-key" }

type Refusal = {
  when: string
  args?: string[]
  env?: Record<string, string>
  stdin?: string
  exit: number
  says: RegExp
}

const refusals: Refusal[] = [
  {
    when: "the folder is missing",
    args: ["--folder", "nowhere"],
    exit: 2,
    says: /^error folder_missing: The folder \/.*\/nowhere does not exist\.\nnext: .+\n$/,
  },
  {
    when: "the folder is a file",
    args: ["--folder", "a.txt"],
    exit: 2,
    says: /^error folder_not_directory: \/.*\/a\.txt is not a folder\.\nnext: .+\n$/,
  },
  {
    when: "the kind is unknown",
    args: ["--kind", "garden"],
    exit: 2,
    says: /^error kind_unknown: There is no kind garden\.\nnext: Installed kinds: project\.\n$/,
  },
  {
    when: "no model is named",
    env: { HARNESS_MODEL: "" },
    exit: 2,
    says: /^error model_missing: .*\nnext: .*HARNESS_MODEL.*\n$/,
  },
  {
    when: "the model's provider is unknown",
    args: ["--model", "nobody/m"],
    exit: 2,
    says: /^error model_unknown: The model nobody\/m .*\nnext: .*openai-compatible.*\n$/,
  },
  {
    when: "the recording is missing",
    args: ["--model", "replay/none.jsonl"],
    exit: 2,
    says: /^error replay_invalid: .*none\.jsonl.*\nnext: .+\n$/,
  },
  {
    when: "there is no bubblewrap",
    args: ["--sandbox", "os"],
    env: { PATH: dirname(process.execPath) },
    exit: 4,
    says: /^error sandbox_unavailable: .*bwrap.*\nnext: .*--sandbox off.*\n$/,
  },
  {
    when: "the task is to be read and there is none",
    args: ["-"],
    exit: 2,
    says: /^error option_invalid: task -: standard input is empty\.\nnext: See harness run --help\.\n$/,
  },
]

test.for(refusals)(
  "when $when, the run ends with exit code $exit and the next step",
  async refusal => {
    const { args = [], stdin = "", exit, says } = refusal
    const task = args[0] === "-" ? [] : ["Do it."]
    const { exitCode, stdout, stderr } = await harness(
      ["run", ...task, ...args, ...(args.includes("--sandbox") ? [] : ["--sandbox", "off"])],
      { home: home.path, cwd: project.path, env: { ...env, ...refusal.env }, stdin },
    )

    expect({ exitCode, stdout }).toEqual({ exitCode: exit, stdout: "" })
    expect(stderr).toMatch(says)
    expect(await project.files()).toEqual({ "a.txt": "one\n" })
  },
)

test("when no kind is installed, the run says how to install one", async () => {
  const empty = await temporaryFolder()
  try {
    const { exitCode, stdout, stderr } = await harness(["run", "Do it."], {
      home: empty.path,
      cwd: project.path,
      env,
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toMatch(/^error kind_not_installed: .*\nnext: .*harness install workspace.*\n$/)
  } finally {
    await empty.remove()
  }
})
