import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"
import { temporaryFolder } from "../../../support/temporary-folder.ts"

const run = promisify(execFile)

/** `harness` in a terminal of its own, with a shell around it, as a person has it. */
export type InTmux = {
  /** Types text, as it is. */
  type(text: string): Promise<void>
  /** Presses keys by tmux's names: `Enter`, `C-c`, `Escape`. */
  press(...keys: string[]): Promise<void>
  /** Pastes text, marked as pasted. */
  paste(text: string): Promise<void>
  resize(columns: number, rows: number): Promise<void>
  /** The screen, and all that was scrolled off it. */
  text(): Promise<string>
  /** Presses a key at a request, once it has been there as long as a person takes to read it. */
  decide(key: string): Promise<void>
  /** Resolves with the text when it fits. */
  shown(pattern: RegExp): Promise<string>
  /** The terminal is gone, with its shell. */
  lose(): Promise<void>
}

/** Starts a shell in tmux and types the command into it. */
export async function inTmux(
  words: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; columns?: number; rows?: number },
): Promise<InTmux> {
  const { cwd, env, columns = 100, rows = 40 } = options
  const socket = `harness-test-${randomUUID()}`
  const tmux = async (...args: string[]) => {
    const { stdout } = await run("tmux", ["-L", socket, "-f", "/dev/null", ...args], {
      env: {
        PATH: process.env.PATH,
        LANG: "C.UTF-8",
        LC_ALL: "C.UTF-8",
        TERM: "xterm-256color",
        SHELL: "/bin/sh",
        TMPDIR: tmpdir(),
        TMUX_TMPDIR: tmpdir(),
        PS1: "$ ",
        ...env,
      },
      maxBuffer: 64 * 1_048_576,
    })
    return stdout
  }

  const size = ["-x", String(columns), "-y", String(rows)]
  await tmux("new-session", "-d", ...size, "-c", cwd, "bash --norc --noprofile")
  const shell = (await tmux("display-message", "-p", "#{pane_pid}")).trim()
  onTestFinished(async () => {
    const left = childrenOf(shell)
    await tmux("kill-server").catch(() => {})
    // They close their conversations first; the folders are removed after that.
    while (left.some(pid => existsSync(`/proc/${pid}`))) await delay(20)
  })
  await tmux("set-option", "-g", "history-limit", "20000")

  const text = () => tmux("capture-pane", "-p", "-J", "-S", "-")
  const terminal: InTmux = {
    text,
    type: async typed => void (await tmux("send-keys", "-l", "--", typed)),
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    async paste(pasted) {
      // From a file: a command of tmux has no room for much.
      const folder = await temporaryFolder({ pasted })
      await tmux("load-buffer", folder.at("pasted"))
      await folder.remove()
      await tmux("paste-buffer", "-p")
    },
    resize: async (x, y) => void (await tmux("resize-window", "-x", String(x), "-y", String(y))),
    lose: async () => void (await tmux("kill-server")),

    async decide(key) {
      await delay(readingMs)
      await terminal.type(key)
    },

    async shown(pattern) {
      for (let looks = 0; looks < mostLooks; looks += 1) {
        const screen = await text()
        if (pattern.test(screen)) return screen
        await delay(lookMs)
      }
      throw new Error(`${pattern} was not shown:\n${await text()}`)
    },
  }

  const line = [process.execPath, "--conditions=@harness/source", main, ...words]
  await terminal.type(line.map(word => `'${word}'`).join(" "))
  await terminal.press("Enter")
  return terminal
}

/** The gate takes no key that comes too soon to be meant. */
const readingMs = 800

const lookMs = 50
const mostLooks = 900

const main = fileURLToPath(new URL("../../../../packages/cli/src/main.ts", import.meta.url))

function childrenOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean)
  } catch {
    return []
  }
}
