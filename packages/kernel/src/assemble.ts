import { join } from "node:path"
import { failure, type OpenConversation } from "@harness/protocol"
import { createBudget } from "./budget/budget.ts"
import { createTurnClock } from "./budget/turn-clock.ts"
import type { OpenContext } from "./context.ts"
import { createLedger } from "./evidence/ledger.ts"
import type { Held } from "./held.ts"
import { type Agent, createAgent } from "./loop/agent.ts"
import { createKnownFiles, type KnownFileTable } from "./loop/known-files.ts"
import { createOverhead } from "./loop/overhead.ts"
import { createRecorder, type Recorder } from "./loop/recorder.ts"
import { programsStyle } from "./loop/styles/programs.ts"
import type { WorkingStyle } from "./loop/styles/style.ts"
import { toolsStyle } from "./loop/styles/tools.ts"
import type { Parts } from "./parts.ts"
import { createPolicy } from "./policy/policy.ts"
import { createRequests } from "./policy/requests.ts"
import type { FoundDefinition } from "./registry/registry.ts"
import { backgroundProcesses } from "./scheduler/background.ts"
import type { OpenEnvironment } from "./scheduler/environment.ts"
import { receiptOfLost } from "./scheduler/lost-process.ts"
import { createPerformer } from "./scheduler/perform.ts"
import type { Place, State } from "./state.ts"

export type Assembly = {
  context: OpenContext
  kind: FoundDefinition
  parts: Parts
  place: Place
  state: State
  environment: OpenEnvironment
  held: Held
}

/** How long a package's policy may think about one action. */
const policyTimeoutMs = 5_000

/** Puts the parts of a new conversation together and records what it stands on. */
export function assembleAgent(command: OpenConversation, assembly: Assembly): Agent {
  const { context, parts, place, state, environment, held } = assembly
  const { config, now } = context
  const { kind, model } = parts

  const recorder = createRecorder({
    log: state.log,
    evidence: state.evidence,
    tell: event => context.tell(place.id, event),
    lastSeq: 0,
  })
  environment.onReplaced(() => recorder.record(workerReplaced))
  const overhead = createOverhead(now)
  const clock = createTurnClock(now)
  const shared = {
    kind,
    overhead,
    policy: createPolicy({
      mode: config.approve ?? "none",
      rules: config.rules,
      policies: parts.policies,
      root: place.root,
      timeoutMs: policyTimeoutMs,
      onFailure: ({ code, message }) => {
        context.log.record({ level: "error", event: code, conversation: place.id, message })
      },
    }),
    requests: createRequests({
      record: body => recorder.record(body),
      pass: recorder.pass,
      ids: context.ids,
      overhead,
      clock,
    }),
    approver: command.approver,
    recorder,
    ledger: createLedger({ limitBytes: config.limits.evidence_bytes, usedBytes: 0 }),
    known: createKnownFiles(),
  }
  const lostReceipt = (id: string) => receiptOfLost(place.processes, id)
  const background = backgroundProcesses({ ...shared, receiptOfLost: lostReceipt })
  environment.onProcesses(background)
  const performer = createPerformer({
    ...shared,
    background,
    receiptOfLost: lostReceipt,
    environment: kind.name,
    guarded: {
      root: place.root,
      secretFiles: config.secrets.files,
      network: config.network || config.sandbox === "off",
    },
    worker: environment.worker,
    grantBytes: config.limits.output_bytes,
    now,
    actionsBefore: 0,
  })
  const style = styleFor(assembly, { ...shared, performer })
  const budget = createBudget({
    conversation: place.id,
    limits: config.limits,
    model: {
      id: model.id,
      price: model.price,
      outputTokens: model.outputTokens,
      fixedBytes: fixedBytesOf(style),
    },
    clock,
    events: [],
    messages: [],
  })

  recordStart(recorder, assembly, style)
  held.add(async () => {
    await Promise.all([environment.close(), style.dispose()])
    await background.settled()
    recorder.record({ type: "conversation_closed" }, { sync: true })
  })
  return createAgent({
    conversation: place.id,
    kind,
    recorder,
    model,
    style,
    budget,
    requests: shared.requests,
    performer,
    evidence: state.evidence,
    messages: [],
    guidance: () => guidanceOf(environment),
    turnsBefore: 0,
    now,
    overhead,
    release: held.release,
  })
}

type StyleParts = Omit<
  Parameters<typeof programsStyle>[0],
  "runtimes" | "limits" | "cacheFolder" | "programsFolder" | "programsBefore"
> & { known: KnownFileTable }

function styleFor({ context, parts, place }: Assembly, shared: StyleParts): WorkingStyle {
  const { config, home } = context
  if (config.style === "tools") {
    const views = parts.kind.tools
    if (views !== undefined) return toolsStyle({ ...shared, views })
    const reason = `the kind ${parts.kind.name} has no tools`
    throw failure("option_invalid", { option: "--style", value: "tools", reason, command: "run" })
  }
  return programsStyle({
    ...shared,
    runtimes: parts.runtimes,
    limits: config.limits,
    cacheFolder: join(home, "cache"),
    programsFolder: join(place.artifacts, "programs"),
    programsBefore: 0,
  })
}

function recordStart(
  recorder: Recorder,
  { context, kind, parts, place, state }: Assembly,
  style: WorkingStyle,
): void {
  const { config } = context
  recorder.record({
    type: "conversation_started",
    conversation: place.id,
    harness_version: context.version,
    agent: "harness",
    model: parts.model.id,
    style: config.style,
    approve: config.approve ?? "none",
    sandbox: config.sandbox,
    network: config.network,
    folder: place.root,
    repository: state.repository,
    instructions: style.instructions,
    tools: [...style.tools],
  })
  const { name, version } = { name: kind.package, version: kind.version }
  recorder.record({
    type: "environment_opened",
    environment: parts.kind.name,
    kind: parts.kind.name,
    package: name,
    package_version: version,
  })
  for (const body of state.notices) recorder.record(body)
  const { ignored } = context.project
  if (ignored !== null) {
    recorder.record({ type: "notice", code: "project_ignored", message: ignored })
  }
  for (const message of parts.model.notices) {
    recorder.record({ type: "notice", code: "provider", message })
  }
}

async function guidanceOf(environment: OpenEnvironment): Promise<string[]> {
  const guidance = await environment.guidance()
  return guidance === null ? [] : [`${guidance.name} of the project says:\n\n${guidance.text}`]
}

function fixedBytesOf({ instructions, tools }: WorkingStyle): number {
  return Buffer.byteLength(instructions) + Buffer.byteLength(JSON.stringify(tools))
}

const workerReplaced = {
  type: "notice",
  code: "worker_replaced",
  message: "The worker was lost and another one was started: what ran in it is gone.",
} as const
