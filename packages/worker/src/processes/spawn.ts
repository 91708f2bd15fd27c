import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { codeOf, messageOf } from "../thrown.ts"

/** A command as the system gets it. Containment wraps this, and nothing else starts a command. */
export type Command = {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  /** Absolute; exists. */
  cwd: string
}

export type Spawned =
  | { status: "spawned"; child: ChildProcess; group: number }
  | { status: "not_started"; reason: string }

/** Starts the command as the leader of a group of its own. */
export async function spawnGroup(command: Command, stdio: StdioOptions): Promise<Spawned> {
  const [program = "", ...rest] = command.argv
  try {
    const child = spawn(program, rest, {
      cwd: command.cwd,
      env: command.env,
      stdio,
      detached: process.platform !== "win32",
      windowsHide: true,
    })
    if (child.pid !== undefined) return { status: "spawned", child, group: child.pid }

    const [error] = await once(child, "error").catch(thrown => [thrown])
    return { status: "not_started", reason: reasonOf(error, program) }
  } catch (error) {
    return { status: "not_started", reason: reasonOf(error, program) }
  }
}

function reasonOf(error: unknown, program: string): string {
  const code = codeOf(error)
  if (code === "ENOENT") return `${program} was not found, or the interpreter that it names`
  if (code === "EACCES") return `${program} may not be executed`
  if (code === "E2BIG") return "the command and its environment are too long"
  if (code === "EAGAIN") return "the system allows no more processes"
  return messageOf(error)
}
