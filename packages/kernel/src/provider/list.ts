import { setTimeout as delay } from "node:timers/promises"
import {
  type AnswerTo,
  type Config,
  failure,
  type ListedModel,
  ModelInfo,
  toFailure,
  type UnlistedProvider,
} from "@harness/protocol"
import * as z from "zod"
import { modelNameOf } from "./name.ts"
import { atItsLine } from "./refusal.ts"
import type { ModelContext } from "./resolve.ts"

type ListContext = Pick<ModelContext, "registry" | "config" | "env" | "lineOf">

/**
 * The models that the installed providers know of, and those that the configuration tells of. A
 * provider that cannot say is named with the reason: it takes nothing from the others.
 * Throws `provider_unknown`.
 */
export async function listModels(
  only: string | undefined,
  context: ListContext,
  { timeoutMs = 10_000 } = {},
): Promise<AnswerTo<"models">> {
  const { registry, config } = context
  const installed = registry.names("provider")
  if (only !== undefined && !installed.includes(only)) {
    const known = installed.join(", ") || "none"
    throw failure("provider_unknown", { provider: only, known })
  }

  const wanted = only === undefined ? installed : [only]
  const asked = await Promise.all(wanted.map(name => modelsOf(name, context, timeoutMs)))
  const chosen = defaultOf(context)
  const models = asked.flatMap(({ provider, models }) =>
    withConfigured(provider, models, chosen, config),
  )
  return {
    type: "models",
    models: models.map(model => withConfig(model, chosen, config)),
    unknown: asked.flatMap(({ unknown }) => unknown ?? []),
  }
}

type Asked = { provider: string; models: readonly ModelInfo[]; unknown?: UnlistedProvider }

async function modelsOf(provider: string, context: ListContext, timeoutMs: number): Promise<Asked> {
  const { registry, config, env, lineOf } = context
  const unknown = (reason: string) => ({ provider, models: [], unknown: { provider, reason } })
  try {
    const definition = await registry.load("provider", provider)
    if (definition.models === undefined) return unknown("it does not list its models")

    const options = config.providers[provider] ?? {}
    const asked = definition.models({ env, config: options })
    const answer = await inTime(asked, timeoutMs)
    if (answer === silence) return unknown(`it did not answer within ${timeoutMs} ms`)

    const listed = Listed.safeParse(answer)
    if (!listed.success) return unknown(`its list is not valid: ${firstOf(listed.error)}`)

    const strange = listed.data.find(model => !model.id.startsWith(`${provider}/`))
    if (strange !== undefined) return unknown(`it lists ${strange.id}, which is not its own`)
    return { provider, models: listed.data }
  } catch (error) {
    return unknown(toFailure(atItsLine(error, provider, lineOf)).message)
  }
}

/** What a package says is data from outside. */
const Listed = z.array(ModelInfo)

function firstOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join(".")}: ${issue?.message}`
}

const silence = Symbol("silence")

/** The timer holds the process: without it one that waits for nothing else would end. */
async function inTime<Value>(asked: Promise<Value>, ms: number): Promise<Value | typeof silence> {
  const answered = new AbortController()
  const silent = delay(ms, silence, { signal: answered.signal })
  try {
    return await Promise.race([asked, silent])
  } finally {
    answered.abort()
  }
}

/** `provider/model` of the configuration; undefined when it names none that can be found. */
function defaultOf({ registry, config }: ListContext): string | undefined {
  const name = modelNameOf(config.model ?? "", registry)
  return name.status === "found" ? `${name.providerName}/${name.name}` : undefined
}

/** Adds the models of that provider that only the configuration names. */
function withConfigured(
  provider: string,
  models: readonly ModelInfo[],
  chosen: string | undefined,
  config: Config,
): ModelInfo[] {
  const known = new Set(models.map(({ id }) => id))
  const named = [...Object.keys(config.models), ...(chosen === undefined ? [] : [chosen])]
  const others = new Set(named.filter(id => id.startsWith(`${provider}/`) && !known.has(id)))
  return [...models, ...[...others].sort().map(id => ({ id, provider, ...nothingKnown }))]
}

const nothingKnown = {
  context_tokens: null,
  output_tokens: null,
  images: null,
  price: null,
  generated_at: null,
}

const figures = ["context_tokens", "output_tokens", "images", "price"] as const

function withConfig(model: ModelInfo, chosen: string | undefined, config: Config): ListedModel {
  const own = config.models[model.id] ?? {}
  return {
    ...model,
    context_tokens: own.context_tokens ?? model.context_tokens,
    output_tokens: own.output_tokens ?? model.output_tokens,
    images: own.images ?? model.images,
    price: own.price ?? model.price,
    default: model.id === chosen,
    configured: figures.filter(name => own[name] !== undefined),
  }
}
