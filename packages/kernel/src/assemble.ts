import { join } from "node:path"
import { failure, type OpenConversation, type Style } from "@harness/protocol"
import { createBudget } from "./budget/budget.ts"
import { assertPriced } from "./budget/price.ts"
import { createTurnClock } from "./budget/turn-clock.ts"
import type { OpenContext } from "./context.ts"
import { projectKey } from "./conversation/project-key.ts"
import { createLedger, evidenceBytesOf } from "./evidence/ledger.ts"
import type { Held } from "./held.ts"
import { conversationImages } from "./images/images.ts"
import { type Agent, createAgent } from "./loop/agent.ts"
import { createCompaction } from "./loop/compaction/compaction.ts"
import { keepText } from "./loop/compaction/keep-text.ts"
import type { KnownFileTable } from "./loop/known-files.ts"
import { createOverhead } from "./loop/overhead.ts"
import { createRecorder } from "./loop/recorder.ts"
import { budgetModel, liveSettings } from "./loop/steering/settings.ts"
import { programsStyle } from "./loop/styles/programs.ts"
import type { WorkingStyle } from "./loop/styles/style.ts"
import { toolsStyle } from "./loop/styles/tools.ts"
import { newDefinitions, prefaceOf, recordOpening } from "./opening.ts"
import { ownActions, withOwnActions } from "./own-actions/own-actions.ts"
import { loadRuntimes, type Parts } from "./parts.ts"
import { createApprovals } from "./policy/approvals.ts"
import { createPolicy } from "./policy/policy.ts"
import { createRequests } from "./policy/requests.ts"
import { resolveModel } from "./provider/resolve.ts"
import type { FoundDefinition } from "./registry/registry.ts"
import type { Past } from "./resume/past.ts"
import { watchRepository } from "./resume/repository-watch.ts"
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
  past: Past
  environment: OpenEnvironment
  held: Held
}

/** How long a package's policy may think about one action. */
const policyTimeoutMs = 5_000

/** Puts the parts of a conversation together and records what it stands on. */
export function assembleAgent(command: OpenConversation, assembly: Assembly): Agent {
  const { context, parts, place, state, past, environment, held } = assembly
  const { config, now } = context
  const { model } = parts
  const kind = withOwnActions(parts.kind)

  const recorder = createRecorder({
    log: state.log,
    evidence: state.evidence,
    tell: event => context.tell(place.id, event),
    lastSeq: state.log.head().seq,
  })
  environment.onReplaced(() => recorder.record(workerReplaced))
  const overhead = createOverhead(now)
  const clock = createTurnClock(now)
  const approvals = createApprovals({
    ...context,
    conversation: place.id,
    keys: async () => {
      const { key, aliases } = await projectKey(place.root, context)
      return [key, ...aliases]
    },
    events: past.events,
    onUnusable: unusable => recorder.record({ type: "notice", ...unusable }),
  })
  const shared = {
    kind,
    overhead,
    policy: createPolicy({
      mode: config.approve ?? "none",
      rules: config.rules,
      approvals,
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
      save: approvals.save,
    }),
    approver: command.approver,
    recorder,
    ledger: createLedger({
      limitBytes: config.limits.evidence_bytes,
      usedBytes: evidenceBytesOf(past.events),
    }),
    known: past.known,
  }
  const { worker } = environment
  const { evidence } = state
  const inForce = { model }
  const images = conversationImages({
    ...shared,
    model: () => inForce.model,
    limits: config.limits,
    evidence,
    worker,
  })
  const lostReceipt = (id: string) => receiptOfLost(place.processes, id)
  const background = backgroundProcesses({
    ...shared,
    clock: context.clock,
    receiptOfLost: lostReceipt,
  })
  environment.onProcesses(background)
  const performer = createPerformer({
    ...shared,
    own: ownActions(parts.kind, shared),
    background,
    receiptOfLost: lostReceipt,
    environment: kind.name,
    guarded: {
      root: place.root,
      secretFiles: config.secrets.files,
      network: config.network || config.sandbox === "off",
    },
    worker,
    images,
    grantBytes: config.limits.output_bytes,
    now,
    actionsBefore: past.before?.actions ?? 0,
  })
  const styleParts = { ...shared, performer }
  const style = styleFor(config.style, assembly, { ...styleParts, runtimes: parts.runtimes })
  const definitions = newDefinitions(assembly, style)
  const { messages } = past
  const next = { seq: past.events.length + 1, at: new Date(context.clock()).toISOString() }
  const budget = createBudget({
    conversation: place.id,
    given: command,
    limits: config.limits,
    model: budgetModel(model, style),
    clock,
    events: definitions === null ? past.events : [...past.events, { ...definitions, ...next }],
    messages,
  })
  const keepAs = (role: string) => (text: string) =>
    keepText(text, { evidence, ledger: shared.ledger, role })
  const settings = liveSettings({
    first: { model, style: config.style, approve: config.approve ?? "none", working: style },
    resolve: id => resolveModel(id, context),
    async styleOf(name) {
      const runtimes = name === "programs" ? await loadRuntimes(context.registry) : []
      return styleFor(name, assembly, { ...styleParts, runtimes })
    },
    workingWith(next, working) {
      inForce.model = next
      const compaction = createCompaction({
        conversation: place.id,
        recorder,
        model: next,
        style: working,
        budget,
        overhead,
        now,
        messages,
        ...(images.bytes && { image: images.bytes }),
        events: () => state.log.read(),
        known: shared.known,
        resultBytes: config.limits.result_bytes,
        keepText: keepAs("message"),
      })
      return { model: next, style: working, compaction }
    },
    assertPriced: next => assertPriced(next, config.limits),
    approveBy: shared.policy.approveBy,
    budget,
    recorder,
  })

  recordOpening(recorder, assembly, { style, definitions })
  const watch = watchRepository(place.root, environment)
  held.add(async () => {
    const repository = await watch.left()
    await Promise.all([environment.close(), settings.dispose()])
    await background.settled()
    recorder.record(
      { type: "conversation_closed", ...(repository !== null && { repository }) },
      { sync: true },
    )
  })
  return createAgent({
    conversation: place.id,
    kind,
    recorder,
    settings,
    budget,
    requests: shared.requests,
    performer,
    evidence,
    images,
    messages,
    keepResult: keepAs("result"),
    environments: () => [{ kind: kind.name, folder: place.root, processes: background.running() }],
    paths: environment.paths,
    preface: () => prefaceOf(assembly, definitions),
    turnEnded: watch.look,
    turnsBefore: past.before?.turns ?? 0,
    now,
    overhead,
    release: held.release,
  })
}

type StyleParts = Omit<
  Parameters<typeof programsStyle>[0],
  "limits" | "cacheFolder" | "programsFolder" | "programsBefore"
> & { known: KnownFileTable }

function styleFor(
  name: Style,
  { context, parts, place, past }: Assembly,
  shared: StyleParts,
): WorkingStyle {
  const { config, home } = context
  if (name === "tools") {
    const views = shared.kind.tools
    if (views !== undefined) return toolsStyle({ ...shared, views })
    const reason = `the kind ${parts.kind.name} has no tools`
    throw failure("option_invalid", { option: "--style", value: "tools", reason, command: "run" })
  }
  return programsStyle({
    ...shared,
    limits: config.limits,
    cacheFolder: join(home, "cache"),
    programsFolder: join(place.artifacts, "programs"),
    programsBefore: past.before?.programs ?? 0,
  })
}

const workerReplaced = {
  type: "notice",
  code: "worker_replaced",
  message: "The worker was lost and another one was started: what ran in it is gone.",
} as const
