import {
  ApproveMode,
  failure,
  type Json,
  type JsonObject,
  Limits,
  type OpenConversation,
  Sandbox,
  Style,
} from "@harness/protocol"
import * as z from "zod"
import type { Environment } from "./home.ts"

/** What a face's options say; the names are those of the command `open`. */
export type ConfigFlags = {
  readonly [Name in FlagName]?: OpenConversation[Name] | undefined
}

type FlagName =
  | "model"
  | "style"
  | "approve"
  | "sandbox"
  | "network"
  | "max_steps"
  | "max_cost"
  | "allow_unknown_price"
  | "max_tokens"
  | "max_wall_seconds"

/** One value that goes before config.jsonc. */
export type Override = { path: readonly [string, ...string[]]; value: Json; origin: string }

/**
 * What the variables and then the flags say, in that order. An empty variable is as good as none.
 * Throws `option_invalid`, naming the variable.
 */
export function overridesFrom(env: Environment, flags: ConfigFlags): Override[] {
  return [
    ...settings.flatMap(setting => fromVariable(setting, env)),
    ...settings.flatMap(setting => fromFlag(setting, flags)),
  ]
}

/** `content` with the overrides in it; the later ones win. */
export function applyOverrides(content: JsonObject, overrides: readonly Override[]): JsonObject {
  return overrides.reduce((object, { path, value }) => withValue(object, path, value), content)
}

type Setting = {
  flag: FlagName
  path: Override["path"]
  variable?: { name: string; value: z.ZodType<Json> }
}

const positiveInteger = z
  .string()
  .regex(/^0*[1-9]\d*$/, "must be a whole number above 0")
  .transform(Number)
  .pipe(Limits.shape.max_steps.unwrap())

const positiveNumber = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/, "must be a number above 0, such as 2.50")
  .transform(Number)
  .pipe(z.number().positive("must be above 0"))

/** What a flag or a variable can set. */
export const settings: readonly Setting[] = [
  { flag: "model", path: ["model"], variable: { name: "HARNESS_MODEL", value: z.string() } },
  { flag: "style", path: ["style"], variable: { name: "HARNESS_STYLE", value: Style } },
  {
    flag: "approve",
    path: ["approve"],
    variable: { name: "HARNESS_APPROVE", value: ApproveMode },
  },
  {
    flag: "sandbox",
    path: ["sandbox"],
    variable: { name: "HARNESS_SANDBOX", value: Sandbox },
  },
  { flag: "network", path: ["network"] },
  {
    flag: "max_steps",
    path: ["limits", "max_steps"],
    variable: { name: "HARNESS_MAX_STEPS", value: positiveInteger },
  },
  {
    flag: "max_cost",
    path: ["limits", "max_cost"],
    variable: { name: "HARNESS_MAX_COST", value: positiveNumber },
  },
  { flag: "allow_unknown_price", path: ["limits", "allow_unknown_price"] },
  {
    flag: "max_tokens",
    path: ["limits", "max_tokens"],
    variable: { name: "HARNESS_MAX_TOKENS", value: positiveInteger },
  },
  {
    flag: "max_wall_seconds",
    path: ["limits", "max_wall_seconds"],
    variable: { name: "HARNESS_MAX_WALL_SECONDS", value: positiveNumber },
  },
]

function fromVariable({ path, variable }: Setting, env: Environment): Override[] {
  const text = variable && env[variable.name]
  if (variable === undefined || !text) return []

  const parsed = variable.value.safeParse(text)
  if (parsed.success) return [{ path, value: parsed.data, origin: `env ${variable.name}` }]

  const [issue] = parsed.error.issues
  const reason = issue?.message.replace(/^Invalid option: expected/, "must be") ?? "is not usable"
  throw failure("option_invalid", { option: variable.name, value: text, reason, command: "run" })
}

function fromFlag({ flag, path }: Setting, flags: ConfigFlags): Override[] {
  const value = flags[flag]
  return value === undefined ? [] : [{ path, value, origin: `flag --${flag.replaceAll("_", "-")}` }]
}

function withValue(object: JsonObject, path: Override["path"], value: Json): JsonObject {
  const [key, next, ...rest] = path
  if (next === undefined) return { ...object, [key]: value }

  const inner = z.record(z.string(), z.json()).safeParse(object[key])
  return { ...object, [key]: withValue(inner.success ? inner.data : {}, [next, ...rest], value) }
}
