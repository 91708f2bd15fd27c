import type { Assembly } from "./assemble.ts"
import { fittingGuidance } from "./loop/fitting-guidance.ts"
import type { Recorder } from "./loop/recorder.ts"
import type { WorkingStyle } from "./loop/styles/style.ts"
import type { Model } from "./provider/resolve.ts"
import { changedDefinitions, type DefinitionsChanged } from "./resume/definitions.ts"
import { untoldIn, wasSent } from "./resume/past.ts"
import type { OpenEnvironment } from "./scheduler/environment.ts"

/** The definitions that requests begin with, when they are not those of the log. */
export function newDefinitions({ past }: Assembly, style: WorkingStyle): DefinitionsChanged | null {
  return past.before === null ? null : changedDefinitions(past.before.definitions, style)
}

/** Puts on record what the conversation stands on: that it begins, or in what surroundings it goes on. */
export function recordOpening(
  recorder: Recorder,
  assembly: Assembly,
  { style, definitions }: { style: WorkingStyle; definitions: DefinitionsChanged | null },
): void {
  const { context, kind, parts, place, state, past } = assembly
  const { config, version } = context
  const surroundings = {
    conversation: place.id,
    harness_version: version,
    model: parts.model.id,
    style: config.style,
    approve: config.approve ?? "none",
    sandbox: config.sandbox,
    network: config.network,
    folder: place.root,
    repository: state.repository,
  }
  if (past.before === null) {
    recorder.record({
      type: "conversation_started",
      ...surroundings,
      agent: "harness",
      instructions: style.instructions,
      tools: [...style.tools],
    })
  } else recorder.record({ type: "conversation_resumed", ...surroundings, told: past.told })

  recorder.record({
    type: "environment_opened",
    environment: parts.kind.name,
    kind: parts.kind.name,
    package: kind.package,
    package_version: kind.version,
  })
  if (definitions !== null) recorder.record(definitions)
  for (const body of state.notices) recorder.record(body)
  const { ignored } = context.project
  if (ignored !== null) {
    recorder.record({ type: "notice", code: "project_ignored", message: ignored })
  }
  for (const message of parts.model.notices) {
    recorder.record({ type: "notice", code: "provider", message })
  }
}

/**
 * The texts that go with the next message: what AGENTS.md says, unless it was sent, and what is not as
 * the model knew it.
 */
export async function prefaceOf(
  { past, environment, parts }: Pick<Assembly, "past" | "environment" | "parts">,
  definitions: DefinitionsChanged | null,
): Promise<string[]> {
  const announced = definitions === null ? [] : [definitions.announced]
  const told = past.told === null ? [] : [past.told]
  return [
    ...(await guidanceOf(environment, past, parts.model)),
    ...untoldIn(past.events),
    ...told,
    ...announced,
  ]
}

async function guidanceOf(
  environment: OpenEnvironment,
  { events }: Assembly["past"],
  { contextTokens }: Model,
): Promise<string[]> {
  const guidance = await environment.guidance()
  if (guidance === null) return []
  const text = `${guidance.name} of the project says:\n\n${fittingGuidance(guidance, contextTokens)}`
  if (wasSent(events, text)) return []
  const isFirst = !events.some(({ type }) => type === "user_message")
  return [isFirst ? text : text.replace("says:", "says by now:")]
}
