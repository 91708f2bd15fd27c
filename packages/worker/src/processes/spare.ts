import { setTimeout as delay } from "node:timers/promises"
import type { Namespaces, Prepared } from "@harness/sandbox"
import { obstacleTo } from "../containment/program.ts"
import type { WorkerSandbox } from "../containment/sandbox.ts"
import type { Company } from "./company.ts"
import type { OutputSlots } from "./slots.ts"
import type { Command } from "./spawn.ts"
import { type StartedInWaiting, type WaitingSandbox, waitingSandbox } from "./waiting.ts"

/** At most one sandbox that waits for the next command, made when no command is waited for. */
export interface Spares {
  /** Makes one like the last command's, unless there is one. Returns at once. */
  prepare(like: Surroundings): void
  /** The one that there is, once it is up: nobody else gets it then. */
  take(): Promise<Spare | undefined>
  /** Ends the one that there is. Nothing is prepared any more. */
  close(): Promise<void>
}

export interface Spare {
  /** Undefined: it is not just the sandbox that the command would get now, and it is gone. */
  start(command: Command, surroundings: Surroundings): StartedInWaiting | undefined
  discard(): void
}

/** What the sandbox of a command depends on, besides what all of the worker have in common. */
export type Surroundings = Pick<Command, "env" | "cwd"> & {
  network: boolean
  neighbours: Namespaces | undefined
  controlled: readonly string[]
}

/** Nobody comes back to it: a person thinks, or the conversation is over. */
const UNUSED_MS = 60_000

/** The last command's own processes take a moment to be gone. */
const CALM = { looks: 24, everyMs: 1 }

export type SparesOptions = {
  sandbox: WorkerSandbox
  slots: OutputSlots
  company: Company
  /** Out of every command's reach: for files that lose their names at once. */
  folder: string
}

export function sparesOf({ sandbox, slots, company, folder }: SparesOptions): Spares {
  const { provider } = sandbox
  let current: Promise<WaitingSandbox | undefined> | undefined
  /** What the last command was given: most often the next one gets the same. */
  let again: Prepared | undefined
  let closed = false
  let latest: WaitingSandbox | undefined

  return {
    prepare(like) {
      if (closed || current !== undefined || provider.prepare === undefined) return
      const made = make(like).catch(() => undefined)
      current = made
      void made.then(async waiting => {
        await waiting?.over
        if (current === made) current = undefined
      })
    },

    async take() {
      const made = current
      const waiting = await made
      // Somebody else had asked for it before.
      if (current !== made || waiting === undefined) return undefined
      current = undefined
      return {
        start(command, surroundings) {
          const [program = ""] = command.argv
          const isThere = obstacleTo(program, command) === undefined
          const wanted = isThere ? preparedFor(surroundings) : undefined
          const started = wanted && waiting.start(command.argv, wanted)
          if (started === undefined) waiting.discard()
          else again = wanted
          return started
        },
        discard: waiting.discard,
      }
    },

    async close() {
      closed = true
      latest?.discard()
      await latest?.over
    },
  }

  async function make(like: Surroundings): Promise<WaitingSandbox | undefined> {
    const isCalm = await calm()
    const prepared = isCalm && !closed ? (again ?? preparedFor(like)) : undefined
    again = undefined
    if (isCalm === undefined || prepared === undefined) return undefined

    const tag = like.env.HARNESS_SESSION
    const waiting = waitingSandbox({ prepared, provider, slots, folder, tag })
    latest = waiting
    // A command that came meanwhile could have led its mounts astray.
    if ((await waiting.isUp) && isCalm() && !closed) {
      const unused = setTimeout(waiting.discard, UNUSED_MS).unref()
      void waiting.over.then(() => clearTimeout(unused))
      return waiting
    }
    waiting.discard()
    await waiting.over
    return undefined
  }

  async function calm(): Promise<ReturnType<Company["calm"]>> {
    for (let looks = 0; looks < CALM.looks; looks += 1) {
      const found = company.calm()
      if (found !== undefined) return found
      await delay(CALM.everyMs, undefined, { ref: false })
    }
    return undefined
  }

  /** Undefined where the ordinary way will say why it cannot be. */
  function preparedFor(surroundings: Surroundings): Prepared | undefined {
    try {
      return provider.prepare?.({ ...sandbox.policy, ...surroundings })
    } catch {
      return undefined
    }
  }
}
