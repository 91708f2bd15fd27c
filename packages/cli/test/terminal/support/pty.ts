import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"

/** A program in a terminal of its own. */
export type InTerminal = {
  /** As if it were typed. */
  type(keys: string): void
  /** Resolves when the bytes since `from` hold the text; rejects when it ended without. */
  shown(text: string, from?: number): Promise<void>
  /** All that it wrote, control sequences included. */
  bytes(): string
  /** The terminal is gone, as when its window is closed. */
  lose(): void
  /** Resolves with the exit code; 128 and the number when a signal ended it. */
  ended: Promise<number | null>
}

/** Runs a program of this folder from source in a pseudo-terminal (`script`) of 100 columns, 30 rows. */
export function inTerminal(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): InTerminal {
  const main = fileURLToPath(new URL(program, import.meta.url))
  const words = [process.execPath, "--conditions=@harness/source", main, ...args]
  const line = words.map(word => `'${word}'`).join(" ")
  const child = spawn("script", ["-qec", `stty cols 100 rows 30; exec ${line}`, "/dev/null"], {
    cwd,
    env: {
      PATH: process.env.PATH,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      SHELL: "/bin/sh",
      TMPDIR: tmpdir(),
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  })
  let written = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text
  })
  child.stdin.on("error", () => {})

  return {
    type: keys => void child.stdin.write(keys),
    bytes: () => written,
    lose: () => void child.kill("SIGKILL"),
    ended: new Promise((resolve, reject) => {
      child.once("error", reject)
      child.once("close", resolve)
    }),
    shown: (text, from = 0) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (written.includes(text, from)) resolve()
        }
        look()
        child.stdout.on("data", look)
        child.once("close", () => reject(new Error(`it did not show ${text}:\n${written}`)))
      }),
  }
}

const compiled = fileURLToPath(
  new URL("../../../../../node_modules/.cache/compiled", import.meta.url),
)
