import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync } from "node:fs"
import { Readable } from "node:stream"
import { openDescriptors, type Prepared, type SandboxProvider } from "@harness/sandbox"
import { newReport, type Report } from "../containment/report.ts"
import { signalGroup } from "./signal-group.ts"
import type { OutputSlot, OutputSlots } from "./slots.ts"
import { behindSandbox, type Spawned } from "./spawn.ts"

/** A sandbox in which a shell waits for its command. */
export interface WaitingSandbox {
  /** False: it did not come up. */
  readonly isUp: Promise<boolean>
  /** Its process has ended, used or not. */
  readonly over: Promise<void>
  /**
   * Lets it become the command, whose sandbox would be `wanted` now. Undefined when it is another
   * one, or has changed: then it is discarded.
   */
  start(argv: readonly string[], wanted: Prepared): StartedInWaiting | undefined
  /** Ends it, unless it is a command. */
  discard(): void
}

export type StartedInWaiting = Extract<Spawned, { status: "spawned" }> & { slot: OutputSlot }

export type WaitingOptions = {
  prepared: Prepared
  provider: SandboxProvider
  slots: OutputSlots
  /** Out of every command's reach: for files that lose their names at once. */
  folder: string
  /** Marks it for whoever looks for the conversation's processes. */
  tag: string | undefined
}

/** What hangs does not hold up the command that waits for it. */
const START_MS = 5_000

/** Starts it. Throws the system's error. */
export function waitingSandbox(options: WaitingOptions): WaitingSandbox {
  const { prepared, provider } = options
  const { slot, report, child } = begun(options)
  const late = setTimeout(discard, START_MS)
  const over = ended(child)
  let phase: "starting" | "up" | "used" | "discarded" = "starting"
  let mounts: string | undefined

  void over.then(() => {
    clearTimeout(late)
    if (phase === "used") return
    phase = "discarded"
    slot.channel.abandon()
    slot.release(true)
    report.close()
  })
  const isUp = Promise.race([greeted(child, prepared), over.then(() => false)]).then(up => {
    clearTimeout(late)
    mounts = up && phase === "starting" ? mountsNow() : undefined
    if (mounts !== undefined) phase = "up"
    else discard()
    return mounts !== undefined
  })
  return { isUp, over, start, discard }

  function start(argv: readonly string[], wanted: Prepared): StartedInWaiting | undefined {
    const isSame = phase === "up" && wanted.identity === prepared.identity && mountsNow() === mounts
    const line = isSame ? provider.lineFor?.(argv) : undefined
    if (line === undefined || child.pid === undefined) {
      discard()
      return undefined
    }
    phase = "used"
    child.stdin?.end(line)
    const behind = behindSandbox(child.pid, provider, report)
    return { status: "spawned", child, group: child.pid, slot, ...behind }
  }

  function discard(): void {
    if (phase === "used" || phase === "discarded") return
    phase = "discarded"
    const { group } = provider.started(report.text())
    if (group !== undefined) signalGroup(group, "SIGKILL")
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL")
  }

  function mountsNow(): string | undefined {
    try {
      return prepared.state(report.text())
    } catch {
      return undefined
    }
  }
}

/** All of it, or nothing is kept. */
function begun(options: WaitingOptions): { slot: OutputSlot; report: Report; child: ChildProcess } {
  const slot = options.slots.take("both")
  let report: Report | undefined
  try {
    report = newReport(options.folder)
    return { slot, report, child: spawned(options, slot.channel.stdio, report.descriptor) }
  } catch (error) {
    slot.channel.abandon()
    slot.release(true)
    report?.close()
    throw error
  }
}

function spawned(
  { prepared, folder, tag }: WaitingOptions,
  output: readonly ("ignore" | "pipe" | number)[],
  report: number,
): ChildProcess {
  const { wrapped } = prepared
  const [program = "", ...args] = wrapped.argv
  const [, ...outputs] = output
  const opened = openDescriptors(wrapped, folder)
  try {
    return spawn(program, args, {
      cwd: wrapped.cwd,
      env: { ...wrapped.env, ...(tag !== undefined && { HARNESS_SESSION: tag }) },
      stdio: ["pipe", ...outputs, ...opened, report, "pipe"],
      detached: true,
    })
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  child.stdin?.on("error", () => undefined)
  // One that could not be started has no exit.
  await once(child, "exit").catch(() => undefined)
}

/** Whether the shell said that it waits. */
async function greeted(child: ChildProcess, { greeting }: Prepared): Promise<boolean> {
  const pipe = child.stdio.at(-1)
  if (!(pipe instanceof Readable)) return false
  pipe.on("error", () => undefined)
  child.stdin?.write(greeting)
  const up = await once(pipe, "data").then(
    () => true,
    () => false,
  )
  pipe.destroy()
  return up
}
