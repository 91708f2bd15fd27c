import * as z from "zod"
import { ApproveMode, Sandbox, Style } from "./config.ts"
import { JsonObject, Sha256 } from "./json.ts"
import { Capability, Manifest } from "./manifest.ts"
import { ApprovalScope } from "./requests.ts"
import { keptCommands, steeringCommands } from "./steering.ts"

/** Where an installed package comes from, as `harness.lock` keeps it. */
export const PackageSource = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("builtin") }),
  z.strictObject({ type: z.literal("registry"), spec: z.string() }),
  z.strictObject({ type: z.literal("folder"), path: z.string() }),
  z.strictObject({ type: z.literal("tarball"), path: z.string() }),
  z.strictObject({ type: z.literal("link"), path: z.string() }),
  /** Below `.harness/packages` of a folder that is trusted. */
  z.strictObject({ type: z.literal("project"), path: z.string() }),
])
export type PackageSource = z.infer<typeof PackageSource>

/** A package as `harness list` shows it. */
export const PackageState = z.strictObject({
  name: z.string(),
  version: z.string(),
  source: PackageSource,
  contributes: z.array(z.string()),
  capabilities: z.array(Capability),
  status: z.enum(["ok", "broken"]),
  /** Why it is broken. */
  reason: z.string().optional(),
})
export type PackageState = z.infer<typeof PackageState>

/** What a package would bring, read before any of its code lands or runs. */
export const PackageInspection = z.strictObject({
  name: z.string(),
  version: z.string(),
  source: PackageSource,
  manifest: Manifest,
  /** sha512 of the content in npm's form, where the source has one. */
  integrity: z.string().nullable(),
  /** True when exactly this is installed already: installing it again changes nothing. */
  installed: z.boolean(),
})
export type PackageInspection = z.infer<typeof PackageInspection>

/** One value of the configuration and where it came from: `default`, `env HARNESS_MODEL`, `file.jsonc:3`. */
export const ConfigValue = z.strictObject({ key: z.string(), value: z.json(), origin: z.string() })
export type ConfigValue = z.infer<typeof ConfigValue>

/**
 * What the `.harness/` of a folder brings, and whether it counts: `none` (nothing is there),
 * `untrusted`, `changed` (it was trusted when it was something else), `trusted`, or `unusable`.
 */
export const ProjectInspection = z.strictObject({
  /** By its real path. */
  folder: z.string(),
  status: z.enum(["none", "untrusted", "changed", "trusted", "unusable"]),
  /** Why it is unusable; null otherwise. */
  reason: z.string().nullable(),
  /** The sha256 over all that counts, to which trust is bound; null for `none` and `unusable`. */
  content: Sha256.nullable(),
  /** What its configuration says, as it stands there. */
  config: z.array(ConfigValue),
  packages: z.array(PackageState),
})
export type ProjectInspection = z.infer<typeof ProjectInspection>

export const OpenConversation = z.strictObject({
  type: z.literal("open"),
  /** Absolute, as the client resolved it. */
  folder: z.string(),
  /** A conversation to go on with: its id, a beginning of it that no other has, or `last` (of the folder). */
  resume: z.string().min(1).optional(),
  /**
   * With `resume`: a conversation of another project than the folder's goes on where it worked last.
   * Else it is refused. `last` is always one of the folder's project.
   */
  elsewhere: z.boolean().optional(),
  kind: z.string().optional(),
  agent: z.string().default("harness"),
  model: z.string().optional(),
  style: Style.optional(),
  approve: ApproveMode.optional(),
  /** What a face takes as the mode where nobody says one: no flag, variable or file. */
  approve_default: ApproveMode.optional(),
  sandbox: Sandbox.optional(),
  network: z.boolean().optional(),
  max_steps: z.int().positive().optional(),
  max_cost: z.number().positive().optional(),
  allow_unknown_price: z.boolean().optional(),
  max_tokens: z.int().positive().optional(),
  max_wall_seconds: z.number().positive().optional(),
  /** True when somebody answers requests; else what asks is denied, `no_approver`. */
  approver: z.boolean().default(false),
})
export type OpenConversation = z.infer<typeof OpenConversation>

/**
 * All that a face can ask of the kernel. Plain data: a face can sit in another process.
 * The answer to each is in `CommandAnswer` under the same `type`.
 */
export const KernelCommand = z.discriminatedUnion("type", [
  OpenConversation,
  /** Starts a turn; answered when the turn has ended. */
  z.strictObject({
    type: z.literal("send"),
    conversation: z.string(),
    text: z.string().min(1),
    /**
     * Images that come with it, `limits.images_shown` at most. What they are is judged by their bytes,
     * not by a name; one that is larger than the model takes is scaled down before it is kept.
     */
    images: z.array(z.strictObject({ name: z.string(), base64: z.base64() })).optional(),
    verify: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("answer"),
    conversation: z.string(),
    request: z.string(),
    decision: z.enum(["approve", "deny"]),
    /** A word to the model. */
    note: z.string().optional(),
    /** What shall run in the place of what was proposed: the whole input of the action. */
    input: JsonObject.optional(),
    /** Saves the offer of the request with the approval. */
    save: ApprovalScope.optional(),
    /** To a question, or the kind that was picked. */
    answer: z.string().optional(),
  }),
  /**
   * Ends the running turn as `interrupted`, or only its step: what the model was saying or running is
   * broken off, it is told so, and the turn goes on with what is queued. Answered at once.
   */
  z.strictObject({
    type: z.literal("interrupt"),
    conversation: z.string(),
    reason: z.string(),
    scope: z.enum(["step", "turn"]).optional(),
  }),
  ...steeringCommands,
  ...keptCommands,
  /** Ends the environments and the lock; the log stays. */
  z.strictObject({ type: z.literal("close"), conversation: z.string() }),
  /** Reads a payload that an action left, by the address in its receipt; of a closed conversation too. */
  z.strictObject({ type: z.literal("evidence"), conversation: z.string(), sha256: Sha256 }),
  // A conversation that exists is named by its id, a beginning of it that no other has, or `last`.
  /** Checks what a conversation keeps. Changes nothing. */
  z.strictObject({ type: z.literal("audit"), conversation: z.string() }),
  /** What a conversation, or one turn of it, did to files. */
  z.strictObject({
    type: z.literal("changes"),
    conversation: z.string(),
    turn: z.int().positive().optional(),
  }),
  /** Takes these changes back where the files are as the conversation left them. */
  z.strictObject({
    type: z.literal("undo"),
    conversation: z.string(),
    turn: z.int().positive().optional(),
    /** Absolute; without it the folder that the conversation was opened in. */
    folder: z.string().optional(),
    /** Null: only tells what it would do. Else the `seq` of that answer, so that what was shown is done. */
    shown_seq: z.int().nonnegative().nullable(),
  }),
  /** Empties a payload, or an output, for good, and leaves a tombstone in the chain. */
  z.strictObject({
    type: z.literal("redact"),
    conversation: z.string(),
    /** A sha256 or a beginning of it, or `output:<id>`. */
    evidence: z.string().min(1),
    reason: z.string().optional(),
  }),
  /** Removes what nothing names any more, and all artifacts of conversations older than that. */
  z.strictObject({
    type: z.literal("gc"),
    older_than_seconds: z.number().nonnegative().optional(),
    /** True: only tells what it would remove. */
    dry_run: z.boolean(),
  }),
  /** The models that the installed providers know of. */
  z.strictObject({ type: z.literal("models"), provider: z.string().optional() }),
  /** Writes the model that counts where no other is named into config.jsonc; what else stands there stays. */
  z.strictObject({ type: z.literal("remember"), model: z.string().min(1) }),
  /** Keeps a provider's key: in the system's keychain, else in a file for its owner alone. */
  z.strictObject({
    type: z.literal("login"),
    provider: z.string(),
    key: z.string(),
    /** True: in the file, also where there is a keychain. */
    file: z.boolean().optional(),
  }),
  /** Removes it from where it is. A key in the environment stays. */
  z.strictObject({ type: z.literal("logout"), provider: z.string() }),
  /** Where each installed provider's key comes from. The keychain is not opened for it. */
  z.strictObject({ type: z.literal("keys") }),
  /** What was spent, over the conversations of this home. */
  z.strictObject({
    type: z.literal("statistics"),
    by: z.enum(["day", "model", "project"]),
    /** Only what happened since: an ISO date. */
    since: z.iso.date().optional(),
  }),
  z.strictObject({ type: z.literal("inspect"), spec: z.string(), link: z.boolean() }),
  z.strictObject({
    type: z.literal("install"),
    spec: z.string(),
    link: z.boolean(),
    /** What the person agreed to: the name, version and capabilities of the inspection. */
    consent: z.strictObject({
      name: z.string(),
      version: z.string(),
      capabilities: z.array(Capability),
    }),
  }),
  z.strictObject({ type: z.literal("uninstall"), name: z.string() }),
  /** With a folder also what that project brings, if it is trusted. */
  z.strictObject({ type: z.literal("list"), folder: z.string().optional() }),
  z.strictObject({ type: z.literal("config"), folder: z.string().optional() }),
  /** Reads what a folder's `.harness/` would bring; none of its code runs. */
  z.strictObject({ type: z.literal("project"), folder: z.string() }),
  /** Lets a folder's `.harness/` count from now on, as it was inspected and no other. */
  z.strictObject({ type: z.literal("trust"), folder: z.string(), content: Sha256 }),
  z.strictObject({ type: z.literal("withdraw"), folder: z.string() }),
])
export type KernelCommand = z.infer<typeof KernelCommand>
