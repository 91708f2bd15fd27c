import { type ChildProcess, spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"

/** How the command line is started. */
export type CliOptions = {
  /**
   * Added to the least environment (PATH, LANG, a temporary folder, HOME inside HARNESS_HOME).
   * HARNESS_HOME must be given, so that no test touches the user's own.
   */
  env: Readonly<Record<string, string>> & { readonly HARNESS_HOME: string }
  cwd?: string
  /** Given to standard input, which is then closed; default nothing. */
  stdin?: string
  /** A command that starts it, with its arguments: what is to be run follows them. */
  under?: readonly string[]
}

export type CliEnd = {
  /** null when a signal ended it. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export type RunningCli = {
  pid: number
  ended: Promise<CliEnd>
  /** Resolves when standard output holds the text; rejects when it ended without. */
  said(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
  /** What reads its standard output goes away. */
  closeStdout(): void
}

/**
 * Runs the built `harness` command to its end.
 *
 * @example
 * const { exitCode, stdout } = await runCli(["--version"], { env: { HARNESS_HOME: home.path } })
 */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  return startCli(args, options).ended
}

/** Starts the built `harness` command, for tests that send signals or look at it while it runs. */
export function startCli(args: readonly string[], options: CliOptions): RunningCli {
  const line = [...(options.under ?? []), process.execPath, cliMain]
  const [command = "", ...first] = line
  const child = spawn(command, [...first, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: {
      PATH: process.env.PATH,
      LANG: "C.UTF-8",
      TMPDIR: tmpdir(),
      HOME: options.env.HARNESS_HOME,
      ...options.env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  })

  const said = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text
  })
  // A command that ends without reading its input closes the pipe: that is its right.
  child.stdin.on("error", () => {})
  child.stdin.end(options.stdin ?? "")

  const ended = new Promise<CliEnd>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal, ...said }))
  })

  return {
    pid: child.pid ?? -1,
    ended,
    said: text => whenSaid(child, text, said),
    kill: signal => child.kill(signal),
    closeStdout: () => child.stdout.destroy(),
  }
}

/** Built before the tests (built.ts): from source each command takes twice as long. */
const cliMain = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url))

function whenSaid(child: ChildProcess, text: string, said: { stdout: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (said.stdout.includes(text)) resolve()
    }
    look()
    child.stdout?.on("data", look)
    child.once("close", () => reject(new Error(`it ended without saying ${text}:\n${said.stdout}`)))
  })
}
