import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Config, ConversationChange, DurableEvent, JsonObject } from "@harness/protocol"
import { loadDefinition } from "@harness/sdk/loading"
import { redactionsOf } from "../audit/expected.ts"
import { createTurnClock } from "../budget/turn-clock.ts"
import { loadConfig } from "../config/load.ts"
import type { KernelOptions } from "../context.ts"
import type { FoundConversation } from "../conversation/find.ts"
import type { Reopened } from "../conversation/reopen.ts"
import { createLedger } from "../evidence/ledger.ts"
import { createHeld } from "../held.ts"
import { createOverhead } from "../loop/overhead.ts"
import type { Policy } from "../policy/policy.ts"
import { createRequests } from "../policy/requests.ts"
import { backgroundProcesses } from "../scheduler/background.ts"
import { type OpenEnvironment, openEnvironment } from "../scheduler/environment.ts"
import { receiptOfLost } from "../scheduler/lost-process.ts"
import { createPerformer, type Performer } from "../scheduler/perform.ts"
import { workerEnvironment } from "../scheduler/worker-environment.ts"

/** Takes single changes back, on the path of every other action, confined to the folder. */
export interface Restorer {
  /** Null when it is done; else why it is not. */
  restore(change: ConversationChange): Promise<string | null>
  close(): Promise<void>
}

export type RestorerOptions = {
  conversation: FoundConversation
  reopened: Reopened
  root: string
  kernel: KernelOptions
}

/** Starts a worker with the kind `restore`: whatever kind changed the files need not be installed. */
export async function startRestorer(options: RestorerOptions): Promise<Restorer> {
  const { home, env } = options.kernel
  const { config } = await loadConfig({ home, env })
  const held = createHeld()
  try {
    const temp = await realpath(await mkdtemp(join(tmpdir(), "harness-")))
    held.add(() => rm(temp, { recursive: true, force: true }))
    const environment = startEnvironment(options, { config, temp })
    held.add(environment.close)
    const performer = await performerFor(options, { config, environment })
    const place = lastStep(options.reopened.events)

    return {
      async restore(change) {
        const performed = await performer.perform({
          origin: { type: "undo" },
          ...place,
          action: "restore_file",
          input: inputFor(change),
          programApproved: false,
          signal: new AbortController().signal,
        })
        if (performed.status === "invalid") return performed.message
        const { error, message } = performed.result
        return error === undefined ? null : String(message ?? error)
      },
      close: held.release,
    }
  } catch (error) {
    await held.release().catch(() => {})
    throw error
  }
}

function startEnvironment(
  { conversation, reopened, root, kernel }: RestorerOptions,
  { config, temp }: { config: Config; temp: string },
): OpenEnvironment {
  const { home, env, worker, random } = kernel
  return openEnvironment({
    kind: "restore",
    module: moduleOf(kernel),
    worker,
    env: { ...workerEnvironment(env), NODE_COMPILE_CACHE: join(home, "cache", "compile") },
    random,
    hello: {
      root,
      temp,
      artifacts: conversation.artifacts,
      limits: config.limits,
      environment: {},
      // It runs no commands, so that there is nothing to contain.
      sandbox: "off",
      network: false,
      home,
      containment: config.containment,
      secret_files: config.secrets.files,
      redacted: [...redactionsOf(reopened.events).keys()],
    },
  })
}

async function performerFor(
  { conversation, reopened, root, kernel }: RestorerOptions,
  { config, environment }: { config: Config; environment: OpenEnvironment },
): Promise<Performer> {
  const { now, ids } = kernel
  const { recorder, events } = reopened
  // An undo keeps what it overwrites, which is evidence already: a full ledger must not forbid it.
  const ledger = createLedger({ limitBytes: Number.MAX_SAFE_INTEGER, usedBytes: 0 })
  const lostReceipt = (id: string) => receiptOfLost(conversation.processes, id)
  const overhead = createOverhead(now)
  return createPerformer({
    kind: await loadDefinition(moduleOf(kernel), "kind"),
    environment: "restore",
    policy: namedByTheUser,
    guarded: { root, secretFiles: config.secrets.files, network: true },
    requests: createRequests({
      record: body => recorder.record(body),
      pass: recorder.pass,
      ids,
      overhead,
      clock: createTurnClock(now),
    }),
    approver: false,
    recorder,
    ledger,
    worker: environment.worker,
    background: backgroundProcesses({
      recorder,
      ledger,
      clock: kernel.clock,
      receiptOfLost: lostReceipt,
    }),
    receiptOfLost: lostReceipt,
    grantBytes: undoGrantBytes,
    now,
    overhead,
    actionsBefore: events.filter(({ type }) => type === "action_proposed").length,
  })
}

/** A file may have grown beyond what an action may leave; it is held in memory while it is replaced. */
const undoGrantBytes = 256 * 1_048_576

/** The user was shown every file and said yes: control and secret files included. */
const namedByTheUser: Policy = {
  mode: "none",
  approveBy() {},
  decide: async () => ({ verdict: "allow", rule: "undo", reason: "the user named it" }),
  offer: async () => ({}),
  refusal: async () => null,
}

function moduleOf({ worker, hosted }: KernelOptions) {
  return { url: worker.restore, name: "restore", hosted: { ...hosted }, linked: false }
}

function inputFor({ path, before, after }: ConversationChange): JsonObject {
  return {
    path,
    expected: after?.sha256 ?? null,
    content: before?.sha256 ?? null,
    mode: before?.mode ?? null,
  }
}

/** Where an undo stands in the log: with the last step that there was. */
function lastStep(events: readonly DurableEvent[]): { turn: number; step: number } {
  const last = events.findLast(event => event.type === "step_started")
  return { turn: last?.turn ?? 1, step: last?.step ?? 1 }
}
