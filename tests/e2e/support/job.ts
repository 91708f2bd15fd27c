import { onTestFinished } from "vitest"
import { type CliEnd, type RunningCli, startCli } from "../../support/run-cli.ts"
import {
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from "../../support/scripted-server.ts"
import {
  type FolderContent,
  type TemporaryFolder,
  temporaryFolder,
} from "../../support/temporary-folder.ts"
import { compiled } from "./homes.ts"

export type Job = {
  home: TemporaryFolder
  project: TemporaryFolder
  server: ScriptedServer
  start(...args: string[]): RunningCli
  run(...args: string[]): Promise<CliEnd>
}

export type JobOptions = {
  home: TemporaryFolder
  script: Script
  /** Default `Do it.` */
  task?: string
  /** What the project holds. */
  files?: FolderContent
  env?: Readonly<Record<string, string>>
  /** A command that starts the command line, with its arguments. */
  under?: readonly string[]
}

/**
 * A project, a scripted model on 127.0.0.1, and `harness run` with a task over the two, in the style
 * `tools` unless the arguments say otherwise. All is gone after the test.
 */
export async function startJob(options: JobOptions): Promise<Job> {
  const { home, script, files = { "a.txt": "one\n" }, under, task = "Do it." } = options
  const [project, server] = await Promise.all([
    temporaryFolder(files),
    startScriptedServer({ script }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove()])
  })

  const env = {
    HARNESS_HOME: home.path,
    HARNESS_MODEL: "openai-compatible/scripted",
    HARNESS_STYLE: "tools",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "not-a-key",
    NODE_COMPILE_CACHE: compiled,
    ...options.env,
  }
  const start = (...args: string[]) =>
    startCli(["run", task, "--folder", project.path, ...args], {
      env,
      ...(under !== undefined && { under }),
    })
  return { home, project, server, start, run: (...args) => start(...args).ended }
}
