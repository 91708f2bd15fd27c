import * as z from "zod"
import {
  ConfigValue,
  type KernelCommand,
  PackageInspection,
  PackageState,
  ProjectInspection,
} from "./commands.ts"
import { Config } from "./config.ts"
import {
  AuditReport,
  CollectedConversation,
  ConversationChange,
  UndoneFile,
} from "./conversations.ts"
import { Ending, Verification } from "./endings.ts"
import { Failure } from "./failures.ts"
import { Sha256 } from "./json.ts"
import { KeyPlace, ProviderKey } from "./keys.ts"
import { ListedModel, StatisticsRow, UnlistedProvider } from "./models.ts"
import { ConversationState, Spent, steeringAnswers } from "./steering-answers.ts"

/** Why the `.harness/` of the folder does not count; null when it does, or is not there. */
const project = { ignored: z.string().nullable() }

// Lazy: only a face in another process parses answers.
export const CommandAnswer = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("open"),
      conversation: z.string(),
      state: ConversationState,
    }),
    z.strictObject({
      type: z.literal("send"),
      ending: Ending,
      verification: Verification,
      /** The model's last message: what `-p` prints. Empty when there was none. */
      answer: z.string(),
      spent: Spent,
    }),
    z.strictObject({ type: z.literal("answer") }),
    z.strictObject({ type: z.literal("interrupt") }),
    z.strictObject({ type: z.literal("close") }),
    z.strictObject({
      type: z.literal("evidence"),
      content: z.discriminatedUnion("status", [
        z.strictObject({ status: z.literal("found"), base64: z.base64() }),
        z.strictObject({ status: z.literal("missing") }),
        /** It was emptied by `redact`. */
        z.strictObject({ status: z.literal("redacted") }),
        /** What is kept there is not what its address says. */
        z.strictObject({ status: z.literal("altered"), found: Sha256 }),
      ]),
    }),
    z.strictObject({ type: z.literal("audit"), report: AuditReport }),
    z.strictObject({
      type: z.literal("changes"),
      conversation: z.string(),
      /** By path. */
      files: z.array(ConversationChange),
      /** True: commands changed more files than their receipts could name. */
      truncated: z.boolean(),
    }),
    z.strictObject({
      type: z.literal("undo"),
      conversation: z.string(),
      folder: z.string(),
      /** The last record that this stands on. */
      seq: z.int().nonnegative(),
      /** By path. */
      files: z.array(UndoneFile),
    }),
    z.strictObject({
      type: z.literal("redact"),
      conversation: z.string(),
      sha256: Sha256,
      bytes: z.int().nonnegative(),
      /** What was removed, relative to the conversation's folder. */
      removed: z.array(z.string()),
      /** False: it had been redacted before. */
      changed: z.boolean(),
    }),
    z.strictObject({
      type: z.literal("gc"),
      conversations: z.array(CollectedConversation),
      files: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
    }),
    z.strictObject({
      type: z.literal("models"),
      models: z.array(ListedModel),
      unknown: z.array(UnlistedProvider),
    }),
    /** The file that it stands in. */
    z.strictObject({ type: z.literal("remember"), file: z.string() }),
    z.strictObject({
      type: z.literal("login"),
      provider: z.string(),
      stored: KeyPlace,
      /** The file that it is in; null for the keychain. */
      file: z.string().nullable(),
      /** Why the keychain could not take it; null when it did, or was not asked. */
      keychain_reason: z.string().nullable(),
      /** A variable of the environment that goes before what was stored; null when none is set. */
      overridden_by: z.string().nullable(),
    }),
    z.strictObject({
      type: z.literal("logout"),
      provider: z.string(),
      /** Where the key was; null when none was stored. */
      removed_from: KeyPlace.nullable(),
      /** A variable of the environment that still holds one; null when none is set. */
      overridden_by: z.string().nullable(),
    }),
    z.strictObject({ type: z.literal("keys"), keys: z.array(ProviderKey) }),
    z.strictObject({
      type: z.literal("statistics"),
      rows: z.array(StatisticsRow),
      total: StatisticsRow,
      /** Logs that could not be read to their end, and why; what stands before counts. */
      incomplete: z.array(z.strictObject({ conversation: z.string(), reason: z.string() })),
    }),
    z.strictObject({ type: z.literal("inspect"), inspection: PackageInspection }),
    z.strictObject({ type: z.literal("install"), package: PackageState, changed: z.boolean() }),
    z.strictObject({ type: z.literal("uninstall"), package: PackageState }),
    z.strictObject({ type: z.literal("list"), packages: z.array(PackageState), ...project }),
    z.strictObject({
      type: z.literal("config"),
      config: Config,
      values: z.array(ConfigValue),
      ...project,
    }),
    z.strictObject({ type: z.literal("project"), project: ProjectInspection }),
    z.strictObject({ type: z.literal("trust"), folder: z.string(), changed: z.boolean() }),
    z.strictObject({ type: z.literal("withdraw"), folder: z.string(), changed: z.boolean() }),
    ...steeringAnswers(),
    z.strictObject({ type: z.literal("failed"), failure: Failure }),
  ]),
)
export type CommandAnswer = z.infer<typeof CommandAnswer>

/** The answer to a command of one type: its own, or `failed`. */
export type AnswerTo<Type extends KernelCommand["type"]> = Extract<
  CommandAnswer,
  { type: Type | "failed" }
>
