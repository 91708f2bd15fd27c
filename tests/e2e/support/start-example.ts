import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { onTestFinished } from "vitest"
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts"
import { root } from "./homes.ts"

export type ExampleEnd = {
  exitCode: number | null
  /** Without what is set up before the job, where something is. */
  stderr: string
  /** What was printed, with what differs from run to run replaced: `<time>`, `<id>`, `<project>`. */
  lines: string[]
  /** The copy of the project that was worked on. */
  project: string
}

/**
 * Runs `npm start -- <args>` without npm, and without a model unless `env` names one; the project's
 * copy is gone after the test.
 */
export async function startExample(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ExampleEnd> {
  const temp = await temporaryFolder()
  onTestFinished(() => temp.remove())
  const child = spawn(process.execPath, [join(root, "scripts", "start.mjs"), ...args], {
    cwd: root,
    env: { ...environment(temp), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })

  const said = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text
  })
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", code => resolve(code))
  })

  const project = /^start: the project is (.+)$/m.exec(said.stdout)?.[1] ?? ""
  const stderr = said.stderr.replace(/^setup: .*\n/gm, "")
  return { exitCode, stderr, project, lines: settled(said.stdout, project) }
}

/**
 * Without a model of the user's own, and with the Node of the machine where it has one: the project
 * runs under that, whatever Node harness has brought for itself.
 */
function environment(temp: TemporaryFolder): NodeJS.ProcessEnv {
  const { HARNESS_MODEL: _model, HARNESS_STYLE: _style, PATH = "", ...env } = process.env
  const folders = PATH.split(delimiter).filter(folder => !folder.includes(".toolchain"))
  const hasNode = folders.some(folder => existsSync(join(folder, "node")))
  return { ...env, PATH: hasNode ? folders.join(delimiter) : PATH, TMPDIR: temp.path }
}

function settled(text: string, project: string): string[] {
  return text
    .replaceAll(project || "<project>", "<project>")
    .replaceAll(root, "<root>/")
    .replace(/\b[\d.]+ m?s\b/g, "<time>")
    .replace(/\(\d+(\.\d+)?ms\)/g, "(<time>)")
    .replace(/[\d,]+ (bytes|characters)/g, "<size>")
    .replace(/(run_command .{4}).*… ·/g, "$1… ·")
    .replace(/sha256 [0-9a-f]{12}/g, "sha256 <hash>")
    .replace(/output:[0-9a-f]{8}/g, "output:<id>")
    .replace(/conversation [0-9a-f]{12}/g, "conversation <id>")
    .replace(/ +<time>/g, " <time>")
    .trimEnd()
    .split("\n")
}
