import { readFile } from "node:fs/promises"
import { join } from "node:path"
import {
  Config,
  type ConfigValue,
  failure,
  type OpenConversation,
  type Rule,
} from "@harness/protocol"
import * as z from "zod"
import { type ConfigDocument, parseConfigDocument } from "./document.ts"
import { errnoOf, inWords } from "./errno.ts"
import type { Environment } from "./home.ts"
import { keyPath } from "./key-path.ts"
import { leaves } from "./leaves.ts"
import { applyOverrides, type ConfigFlags, type Override, overridesFrom } from "./overrides.ts"
import { type ProjectSettings, projectOverrides } from "./project.ts"
import { withoutSecrets } from "./secrets.ts"

/** The configuration in force, and the same for people: each value with where it came from. */
export type LoadedConfig = {
  config: Config
  /** Secrets are hidden. Origins: `default`, `config.jsonc:3`, `env HARNESS_MODEL`, `flag --model`. */
  values: ConfigValue[]
  /** The line of config.jsonc where a value stands, by its path; undefined when it stands elsewhere. */
  lineOf: (path: readonly string[]) => number | undefined
  /** The rules of a trusted project: like a package's policy they can ask and deny. */
  projectRules: readonly Rule[]
}

/**
 * Reads the configuration: a flag goes before a variable, a variable before what a trusted project
 * says, that before `config.jsonc` in the home, that before the default. Throws `config_invalid`
 * (file, line, key, reason), `option_invalid` (the variable) or `home_unusable`.
 *
 * @example
 * const { config } = await loadConfig({ home: homeFolder(process.env), env: process.env })
 */
export async function loadConfig(options: {
  home: string
  env: Environment
  /** With what the face takes as the mode where nobody says one. */
  flags?: ConfigFlags & Pick<OpenConversation, "approve_default">
  /** What the folder's own file says; given only when the folder is trusted. */
  project?: ProjectSettings | null
}): Promise<LoadedConfig> {
  const { home, env, flags = {}, project = null } = options
  const fromOutside = overridesFrom(env, flags)
  const document = await readDocument(home)
  const withDefault = (config: Config): Config =>
    config.approve === undefined && flags.approve_default !== undefined
      ? { ...config, approve: flags.approve_default }
      : config
  // A project tightens what would count without it, the face's default too.
  const users = withDefault(Config.parse(document.content))
  const fromProject = project ? projectOverrides(project, users) : []
  const overrides = [...fromProject, ...fromOutside]

  const config = withDefault(Config.parse(applyOverrides(document.content, overrides)))
  const values = [...describe(config, document, overrides), ...(project?.ruleValues ?? [])]
  return { config, values, lineOf: document.lineOf, projectRules: project?.rules ?? [] }
}

/** The answer to the command `config`: what {@link loadConfig} found, with its secrets hidden. */
export async function showConfig(options: {
  home: string
  env: Environment
  project?: ProjectSettings | null
}): Promise<Pick<LoadedConfig, "config" | "values">> {
  const { config, values } = await loadConfig(options)
  return { config: withoutSecrets(config), values }
}

const fileName = "config.jsonc"

async function readDocument(home: string): Promise<ConfigDocument> {
  const file = join(home, fileName)
  try {
    const text = await readFile(file, "utf8")
    return await parseConfigDocument(file, text)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === "ENOENT") return { content: {}, lineOf: () => undefined }
    if (errno === undefined || !/^E[A-Z]+$/.test(errno)) throw error
    const reason = `${fileName} cannot be read: ${inWords(error)}`
    throw failure("home_unusable", { home, reason }, { cause: error })
  }
}

function describe(
  config: Config,
  document: ConfigDocument,
  overrides: readonly Override[],
): ConfigValue[] {
  const { $schema: _editorsOnly, ...settings } = withoutSecrets(config)
  const unset = { model: null, approve: null }
  const all = z.json().parse({ ...unset, ...settings })
  const origins = new Map(overrides.map(({ path, origin }) => [keyPath(path), origin]))

  return leaves(all).map(({ path, value }) => {
    const key = keyPath(path)
    const line = document.lineOf(path)
    const below = line === undefined ? "default" : `${fileName}:${line}`
    return { key, value, origin: origins.get(key) ?? below }
  })
}
