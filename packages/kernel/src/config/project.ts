import { type Config, type ConfigValue, type Json, ProjectConfig, Rule } from "@harness/protocol"
import * as z from "zod"
import { type ConfigDocument, parseConfigDocument } from "./document.ts"
import { keyPath } from "./key-path.ts"
import { type Leaf, leaves } from "./leaves.ts"
import type { Override } from "./overrides.ts"

/** What a project's `.harness/config.jsonc` says. */
export type ProjectSettings = {
  /** All of it with its lines, for people. */
  values: ConfigValue[]
  /** Its rules, which stand beside the user's own. */
  ruleValues: ConfigValue[]
  rules: readonly Rule[]
  document: ConfigDocument
}

/** How its values name their origin: `.harness/config.jsonc:3`. */
const fileName = ".harness/config.jsonc"

/**
 * Parses the text of a project's file; `file` is its path, for the failure. Throws `config_invalid`,
 * also for what only the user may say.
 */
export async function parseProjectSettings(file: string, text: string): Promise<ProjectSettings> {
  const unknown = "is not a key that a project can set"
  const document = await parseConfigDocument(file, text, { schema: ProjectConfig, unknown })
  const { $schema: _editorsOnly, ...content } = document.content

  const values = leaves(content).map(({ path, value }) => {
    return { key: keyPath(path), value, origin: originOf(document, path) }
  })
  return {
    values,
    ruleValues: values.filter(({ key }) => key === "rules"),
    rules: z.array(Rule).catch([]).parse(content.rules),
    document,
  }
}

/**
 * What a project changes of the user's configuration: it may tighten, never loosen. What the user
 * has as strict already stays the user's. Rules are not among them: the most specific one decides,
 * so that one more could loosen; they are judged like a package's policy.
 */
export function projectOverrides(
  { document }: Pick<ProjectSettings, "document">,
  user: Config,
): Override[] {
  const { $schema: _editorsOnly, rules: _judgedApart, ...content } = document.content

  return leaves(content).flatMap(leaf => {
    const value = tightened(leaf, user)
    const [first, ...rest] = leaf.path
    if (value === undefined || first === undefined) return []
    return [{ path: [first, ...rest], value, origin: originOf(document, leaf.path) }]
  })
}

/** The value that counts; undefined when it is the user's. */
function tightened({ path, value }: Leaf, user: Config): Json | undefined {
  switch (keyPath(path)) {
    case "approve":
      return strictness(value) > strictness(user.approve ?? "none") ? value : undefined
    case "containment.hide":
      return longer(user.containment.hide, value)
    case "secrets.files":
      return longer(user.secrets.files, value)
    case "limits.allow_unknown_price":
      return user.limits.allow_unknown_price ? value : undefined
    default:
      return path[0] === "limits" ? lower(limitOf(user, path[1]), value) : value
  }
}

const strictnesses = new Map<Json, number>([
  ["none", 0],
  ["programs", 1],
  ["gate", 2],
  ["plan", 3],
])

function strictness(mode: Json): number {
  return strictnesses.get(mode) ?? 0
}

function longer(users: readonly string[], value: Json): Json | undefined {
  const added = names.parse(value).filter(name => !users.includes(name))
  return added.length === 0 ? undefined : [...users, ...added]
}

const names = z.array(z.string()).catch([])

/** Null is no bound at all. */
function lower(users: number | null, value: Json): Json | undefined {
  return typeof value === "number" && (users === null || value < users) ? value : undefined
}

function limitOf({ limits }: Config, name = ""): number | null {
  const limit = new Map<string, number | boolean | null>(Object.entries(limits)).get(name)
  return typeof limit === "number" ? limit : null
}

function originOf({ lineOf }: ConfigDocument, path: readonly string[]): string {
  return `${fileName}:${lineOf(path) ?? 1}`
}
