import { type ChildProcess, spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"

export type HarnessOptions = {
  home: string
  cwd?: string
  env?: Readonly<Record<string, string>>
  /** `json`: what crosses the kernel's face goes through JSON and the schemas. */
  boundary?: "direct" | "json"
  /** Standard input and error are taken for a terminal. */
  terminal?: boolean
  /** Text is written and ended; `open` leaves an idle pipe; default nothing. */
  stdin?: string | "open"
  /** A command that starts it, with its arguments: what is to be run follows them. */
  under?: readonly string[]
}

export type HarnessEnd = {
  exitCode: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export type RunningHarness = {
  child: ChildProcess
  ended: Promise<HarnessEnd>
  /** Resolves when one of the two outputs holds the text; rejects when it ended without. */
  said(text: string): Promise<void>
}

/** Runs the command to its end: as it is built, or from source where its surroundings are changed. */
export function harness(args: readonly string[], options: HarnessOptions): Promise<HarnessEnd> {
  return startHarness(args, options).ended
}

/** Starts the command as a process of its own, in the least environment. */
export function startHarness(args: readonly string[], options: HarnessOptions): RunningHarness {
  const { home, cwd = process.cwd(), boundary = "direct", terminal = false, stdin = "" } = options
  const { under = [] } = options
  const isPlain = boundary === "direct" && !terminal
  const start = isPlain ? [built] : ["--conditions=@harness/source", main]
  const line = [...under, process.execPath, ...start, ...args]
  const [command = "", ...rest] = line
  const child = spawn(command, rest, {
    cwd,
    env: {
      PATH: process.env.PATH,
      LANG: "C.UTF-8",
      TMPDIR: tmpdir(),
      HOME: home,
      HARNESS_HOME: home,
      NODE_COMPILE_CACHE: compiled,
      TEST_BOUNDARY: boundary,
      TEST_TERMINAL: terminal ? "yes" : "no",
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
  child.stdin.on("error", () => {})
  if (stdin !== "open") child.stdin.end(stdin)

  return {
    child,
    ended: new Promise((resolve, reject) => {
      child.once("error", reject)
      child.once("close", (exitCode, signal) => resolve({ exitCode, signal, ...said }))
    }),
    said: text =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (`${said.stdout}\n${said.stderr}`.includes(text)) resolve()
        }
        look()
        child.stdout.on("data", look)
        child.stderr.on("data", look)
        child.once("close", () => reject(new Error(`it did not say ${text}:\n${said.stderr}`)))
      }),
  }
}

/** So that TypeScript is not compiled again by each process. */
const compiled = fileURLToPath(new URL("../../../../node_modules/.cache/compiled", import.meta.url))

/** Built before the tests: from source each command takes twice as long. */
const built = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

const main = fileURLToPath(new URL("./harness-main.ts", import.meta.url))
