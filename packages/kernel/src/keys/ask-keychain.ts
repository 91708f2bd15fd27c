import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as z from "zod"
import type { Environment } from "../config/home.ts"
import { workerEnvironment } from "../scheduler/worker-environment.ts"
import type { Unavailable } from "./store.ts"

export type KeychainOptions = {
  /** The file of the process that asks the keychain (`keychain-process.ts`), and the flags of its Node. */
  entry: string
  nodeFlags: readonly string[]
  env: Environment
  /** A person may have to unlock it first. */
  answerSeconds?: number
}

type KeychainAnswer = { status: "done" } | { status: "found"; key: string } | { status: "none" }

/** Asks the keychain for one thing. Never rejects. */
export type AskKeychain = (
  question: "put" | "get" | "remove",
  account: string,
  key?: string,
) => Promise<KeychainAnswer | Unavailable>

/**
 * Asks the keychain in a process of its own: what talks to it blocks the whole process that it is in,
 * and for good when the session's bus does not answer.
 */
export function askKeychain(options: KeychainOptions): AskKeychain {
  const { entry, nodeFlags, env, answerSeconds = defaultAnswerSeconds } = options

  return async (question, account, key = "") => {
    const asked = run(process.execPath, [...nodeFlags, entry, question, account], {
      env: { ...workerEnvironment(env), ...busOf(env) },
      timeout: answerSeconds * 1_000,
      killSignal: "SIGKILL",
      windowsHide: true,
    })
    // It may have ended before it read.
    asked.child.stdin?.on("error", () => {})
    asked.child.stdin?.end(key)

    try {
      return parsed((await asked).stdout)
    } catch (error) {
      return { status: "unavailable", reason: reasonOf(error, answerSeconds) }
    }
  }
}

const run = promisify(execFile)

const defaultAnswerSeconds = 30

/** Where a session's keychain listens on Linux. */
function busOf({ DBUS_SESSION_BUS_ADDRESS: bus, XDG_RUNTIME_DIR: runtime }: Environment) {
  return {
    ...(bus !== undefined && { DBUS_SESSION_BUS_ADDRESS: bus }),
    ...(runtime !== undefined && { XDG_RUNTIME_DIR: runtime }),
  }
}

const Answer = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("done") }),
  z.strictObject({ status: z.literal("found"), key: z.string() }),
  z.strictObject({ status: z.literal("none") }),
  z.strictObject({ status: z.literal("unavailable"), reason: z.string() }),
])

function parsed(text: string): z.infer<typeof Answer> {
  return Answer.parse(JSON.parse(text))
}

/** Not the error's own message: it can hold what was printed, and so a key. */
function reasonOf(error: unknown, answerSeconds: number): string {
  const ended = typeof error === "object" && error !== null && "killed" in error
  if (!ended) return "what asks it gave no answer"
  return error.killed === true
    ? `it did not answer within ${answerSeconds} s`
    : "what asks it ended without an answer"
}
