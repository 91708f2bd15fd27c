import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync } from "node:fs"
import {
  type Namespaces,
  openDescriptors,
  type SandboxProvider,
  type Wrapped,
} from "@harness/sandbox"
import { obstacleTo } from "../containment/program.ts"
import { newReport, type Report } from "../containment/report.ts"
import { type WorkerSandbox, wrapped } from "../containment/sandbox.ts"
import { codeOf, messageOf } from "../thrown.ts"
import { endTree, signalGroup } from "./signal-group.ts"
import type { Ended } from "./supervise.ts"

/**
 * A command as it was asked for. Its sandbox wraps this, and nothing else starts a command, but for a
 * sandbox that waits for one (`waiting.ts`).
 */
export type Command = {
  argv: readonly string[]
  /** Its program, when that is harness's own and must be there wherever it lies. */
  tool?: string | undefined
  env: Readonly<Record<string, string>>
  /** Absolute; exists. */
  cwd: string
}

export type SpawnOptions = {
  command: Command
  sandbox: WorkerSandbox
  network: boolean
  /** The network that it shares with others when it has none of the host. */
  neighbours: Namespaces | undefined
  /** Absolute paths of control files that a look at the root has found. */
  controlled: readonly string[]
  /** No other process of the worker runs. */
  alone: boolean
  /** The first three; what the sandbox needs comes after them. */
  stdio: readonly ("ignore" | "pipe" | number)[]
  /** Of the process's record: where what the sandbox reads and writes has its files for a moment. */
  folder: string
}

export type Spawned =
  | {
      status: "spawned"
      child: ChildProcess
      group: number
      /** Asks the command to end: TERM to its own group. A sandbox would take that for KILL. */
      terminate(): void
      /** The command's own group as we see it; undefined while, or when, it has none. */
      commandGroup(): number | undefined
      /**
       * To be called once, when it has ended. False: the sandbox exited by itself without having
       * started the command, and the output is the sandbox's, which says why.
       */
      ran(end: Ended): boolean
    }
  | { status: "not_started"; reason: string }

/** Starts the command, in its sandbox, as the leader of a group of its own. */
export async function spawnGroup(options: SpawnOptions): Promise<Spawned> {
  const { command, sandbox, network, neighbours, controlled, alone, folder } = options
  const [program = ""] = command.argv
  const contained = sandbox.provider.name !== "off"
  const obstacle = contained ? obstacleTo(program, command) : undefined
  if (obstacle !== undefined) {
    return { status: "not_started", reason: reasonOf(obstacle, program) ?? obstacle }
  }

  const opened: number[] = []
  let report: Report | undefined
  try {
    const wrapping = wrapped(command, sandbox, { network, controlled, neighbours, alone })
    opened.push(...openDescriptors(wrapping, folder))
    if (wrapping.reports) report = newReport(folder)

    const passed = report === undefined ? opened : [...opened, report.descriptor]
    const child = start(wrapping, [...options.stdio, ...passed], command)
    if (child.pid !== undefined) {
      const behind = behindSandbox(child.pid, sandbox.provider, report)
      return { status: "spawned", child, group: child.pid, ...behind }
    }
    const [error] = await once(child, "error").catch(thrown => [thrown])
    throw error
  } catch (error) {
    report?.close()
    const reason = reasonOf(codeOf(error), contained ? "its sandbox" : program)
    return { status: "not_started", reason: reason ?? messageOf(error) }
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

function start({ argv, cwd, env }: Wrapped, stdio: StdioOptions, command: Command): ChildProcess {
  const [program = "", ...rest] = argv
  // The wrapper carries the tag too: whoever looks for the conversation's processes finds it.
  const { HARNESS_SESSION } = command.env
  return spawn(program, rest, {
    cwd,
    env: { ...env, ...(HARNESS_SESSION !== undefined && { HARNESS_SESSION }) },
    stdio,
    detached: process.platform !== "win32",
    windowsHide: true,
  })
}

/** How to reach a command through the sandbox that started it. */
export function behindSandbox(
  group: number,
  provider: SandboxProvider,
  report: Report | undefined,
) {
  if (report === undefined) {
    const terminate = process.platform === "win32" ? endTree : signalGroup
    return {
      terminate: () => void terminate(group, "SIGTERM"),
      commandGroup: () => group,
      ran: () => true,
    }
  }

  const commandGroup = () => provider.started(report.text()).group
  return {
    commandGroup,
    terminate() {
      const inner = commandGroup()
      // Before it has a group of its own there is only the sandbox to be ended.
      if (inner === undefined || !signalGroup(inner, "SIGTERM")) signalGroup(group, "SIGTERM")
    },
    ran({ status, exitCode }: Ended) {
      const { ended } = provider.started(report.text())
      report.close()
      // A sandbox that was killed could not tell any more.
      return ended || status !== "exited" || exitCode === null
    },
  }
}

function reasonOf(code: string, program: string): string | undefined {
  if (code === "ENOENT") return `${program} was not found, or the interpreter that it names`
  if (code === "EACCES") return `${program} may not be executed`
  if (code === "E2BIG") return "the command and its environment are too long"
  if (code === "EAGAIN") return "the system allows no more processes"
  return undefined
}
