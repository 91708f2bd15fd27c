import * as z from "zod"
import { defaultSecretFiles } from "./guarded-files.ts"
import { Limits } from "./limits.ts"
import { Permit } from "./permits.ts"
import { Effect } from "./receipts.ts"

/** What is put before a person first. The default of `harness run` is `none`. */
export const ApproveMode = z.enum(["gate", "programs", "none", "plan"])
export type ApproveMode = z.infer<typeof ApproveMode>

export const Style = z.enum(["programs", "tools"])
export type Style = z.infer<typeof Style>

export const Sandbox = z.enum(["os", "off"])
export type Sandbox = z.infer<typeof Sandbox>

/**
 * A rule of the user. The most specific one that matches decides: `path`, `command` or `permit`
 * before `action`, `action` before `effect`; of two equally specific ones the stricter.
 */
export const Rule = z.strictObject({
  verdict: z.enum(["allow", "ask", "deny"]),
  effect: Effect.optional(),
  action: z.string().optional(),
  /** A glob over the `path` of the action's input, relative to the root: `src/**`. */
  path: z.string().optional(),
  /** A prefix of the command, word by word: `npm test`. */
  command: z.string().optional(),
  /**
   * Only what needs this permit. An `allow` opens a control or secret file only if it names the
   * `permit` or the `path`, and the network for a command only if it names the `permit`.
   */
  permit: Permit.optional(),
})
export type Rule = z.infer<typeof Rule>

/** USD per million tokens. */
export const Price = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached_input: z.number().nonnegative().optional(),
  /** Input that is written to the provider's cache; without it such input costs as other input. */
  cache_write: z.number().nonnegative().optional(),
  /**
   * Prices of larger requests: of the tiers whose `above_input_tokens` the whole input exceeds, the
   * highest one prices all of the request.
   */
  tiers: z
    .array(
      z.strictObject({
        above_input_tokens: z.int().nonnegative(),
        input: z.number().nonnegative(),
        output: z.number().nonnegative(),
        cached_input: z.number().nonnegative().optional(),
        cache_write: z.number().nonnegative().optional(),
      }),
    )
    .optional(),
})
export type Price = z.infer<typeof Price>

const ModelConfig = z.strictObject({
  price: Price.optional(),
  /** The window: input and output of one request together. */
  context_tokens: z.int().positive().optional(),
  output_tokens: z.int().positive().optional(),
  /** Whether the model takes images. */
  images: z.boolean().optional(),
})

/**
 * `config.jsonc` in HARNESS_HOME. Unknown keys are refused. A value's order of precedence is
 * flag, environment variable, the project's file ({@link ProjectConfig}), this file, default.
 *
 * @example
 * { "model": "openai-compatible/qwen3-coder", "limits": { "max_steps": 80 } }
 */
export const Config = z.strictObject({
  $schema: z.string().optional(),
  /** `provider/model`. */
  model: z.string().optional(),
  style: Style.default("programs"),
  approve: ApproveMode.optional(),
  sandbox: Sandbox.default("os"),
  network: z.boolean().default(false),
  /** How contained commands see the machine; only with `sandbox: "os"`. */
  containment: z
    .strictObject({
      /** Folders and files hidden from commands besides the built-in list; `~/` is the home folder. */
      hide: z.array(z.string()).default([]),
      /** Folders and files below /tmp or /run that commands see, read-only; they see none otherwise. */
      show: z.array(z.string()).default([]),
      /** Lets commands make and use unix sockets of their own; those of the host stay out of reach. */
      unix_sockets: z.boolean().default(false),
      /** Lets commands trace their own processes. */
      debuggers: z.boolean().default(false),
    })
    .prefault({}),
  secrets: z
    .strictObject({
      /** Names of files that hold secrets, as globs over the last part of a path; `!` takes one out. */
      files: z.array(z.string()).default([...defaultSecretFiles]),
    })
    .prefault({}),
  limits: Limits.prefault({}),
  environment: z
    .strictObject({
      /** Names of variables that commands inherit besides the fixed few. Never a secret's. */
      allow: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
    })
    .prefault({}),
  rules: z.array(Rule).default([]),
  /** Options by provider name; each provider validates its own. */
  providers: z.record(z.string(), z.record(z.string(), z.json())).default({}),
  /** What is known of models, by `provider/model`; goes before a provider's own figures. */
  models: z
    .record(z.string().regex(/^[^/]+\/./), ModelConfig, {
      error: ({ code }) => (code === "invalid_key" ? "the key must be provider/model" : undefined),
    })
    .default({}),
})
export type Config = z.infer<typeof Config>

const cannotAllow = z.literal(false, { error: "a project cannot allow it" })

/** Limits without their defaults: what a project does not say, it leaves as it is. */
const limitsThatAreSet = z.strictObject(
  Object.fromEntries(
    Object.entries(Limits.shape).map(([name, limit]) => [
      name,
      name === "allow_unknown_price" ? cannotAllow.optional() : limit.unwrap().optional(),
    ]),
  ),
)

/**
 * `.harness/config.jsonc` of a project, which counts once its folder is trusted. It goes before the
 * home's file and may tighten, never loosen: of a limit the smaller value counts, of `approve` the
 * stricter, lists are added to. Where keys go, what variables commands see, what is allowed without
 * asking and what a model costs is the user's own to say: these keys are refused.
 *
 * @example
 * { "model": "openai-compatible/qwen3-coder", "rules": [{ "verdict": "deny", "path": "vendor/**" }] }
 */
export const ProjectConfig = z.strictObject({
  $schema: z.string().optional(),
  model: z.string().optional(),
  style: Style.optional(),
  approve: ApproveMode.optional(),
  sandbox: z.literal("os", { error: "a project cannot take the sandbox away" }).optional(),
  network: z.literal(false, { error: "a project cannot open the network" }).optional(),
  containment: z
    .strictObject({
      hide: z.array(z.string()).optional(),
      unix_sockets: z.literal(false, { error: "a project cannot allow it" }).optional(),
      debuggers: z.literal(false, { error: "a project cannot allow it" }).optional(),
    })
    .optional(),
  secrets: z
    .strictObject({
      files: z
        .array(z.string().regex(/^[^!]/, "a project cannot take a file out of the list"))
        .optional(),
    })
    .optional(),
  limits: limitsThatAreSet.optional(),
  rules: z
    .array(
      Rule.extend({
        verdict: z.enum(["ask", "deny"], { error: "a project can only ask or deny" }),
      }),
    )
    .optional(),
})
