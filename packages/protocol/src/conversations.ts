import * as z from "zod"
import { Sha256 } from "./json.ts"

/** What an audit found of one thing that a conversation keeps, or should keep. */
export const AuditFinding = z.strictObject({
  /**
   * `missing`, `altered`; `unnamed`: it is there and no record names it; `unfinished`: a record says
   * that it is gone, and it is there. `redacted` and `collected` (by `gc`) are no difference.
   */
  status: z.enum(["missing", "altered", "unnamed", "unfinished", "redacted", "collected"]),
  /** Relative to the conversation's folder: `log.jsonl`, `artifacts/evidence/ab/ab12…`. */
  place: z.string(),
  /** What is wrong, as the end of a sentence. */
  detail: z.string(),
})
export type AuditFinding = z.infer<typeof AuditFinding>

/** What `harness audit` found: the log against its chain and stored head, the rest against the log. */
export const AuditReport = z.strictObject({
  conversation: z.string(),
  /** True when nothing differs. */
  holds: z.boolean(),
  log: z.strictObject({
    /**
     * `closed`: the stored head is the last record, so that none is missing. `unclosed`: records
     * follow the stored head, as after a kill; there may have been more. `open`: a live process has
     * it. `damaged`: the chain does not hold.
     */
    state: z.enum(["closed", "unclosed", "open", "damaged"]),
    /** Whole records whose chain holds. */
    records: z.int().nonnegative(),
    /** The record that the stored head is of; null without one. */
    stored_seq: z.int().nonnegative().nullable(),
  }),
  /** How many are as the log says. */
  intact: z.strictObject({
    payloads: z.int().nonnegative(),
    processes: z.int().nonnegative(),
    programs: z.int().nonnegative(),
  }),
  findings: z.array(AuditFinding),
})
export type AuditReport = z.infer<typeof AuditReport>

/** A file before or after what a conversation did to it. */
export const KeptFile = z.strictObject({
  /** Null: it was never read. */
  sha256: Sha256.nullable(),
  bytes: z.int().nonnegative(),
  /** `link`: the content is its target. */
  type: z.enum(["file", "link"]),
  /** Permission bits; absent where they are not on record. */
  mode: z.int().nonnegative().optional(),
  /**
   * Where the content is: `kept` as evidence; `withheld` (a secret file), `redacted`, `collected`:
   * the hash alone; `not_kept`: there was no room, or it was never read.
   */
  content: z.enum(["kept", "withheld", "redacted", "collected", "not_kept"]),
})
export type KeptFile = z.infer<typeof KeptFile>

/** A file that a conversation changed, before the first change and after the last. */
export const ConversationChange = z.strictObject({
  /** Relative to the root, with `/`. */
  path: z.string(),
  /** `actions`: by file actions; `commands`: while commands ran; `both`. */
  by: z.enum(["actions", "commands", "both"]),
  /** Null: it did not exist. */
  before: KeptFile.nullable(),
  after: KeptFile.nullable(),
})
export type ConversationChange = z.infer<typeof ConversationChange>

/**
 * What `undo` does, or did, with one file. `restore`: back to its first content; `remove`: it was
 * made by the conversation; `done`: one of the two, carried out; `nothing`: it is as it was before
 * already; `conflict`: it is not as the conversation left it, or its first content is not at hand.
 */
export const UndoneFile = z.strictObject({
  path: z.string(),
  by: ConversationChange.shape.by,
  status: z.enum(["restore", "remove", "done", "nothing", "conflict"]),
  /** Why it is a conflict. */
  reason: z.string().optional(),
})
export type UndoneFile = z.infer<typeof UndoneFile>

/** What `gc` freed of one conversation, or would. */
export const CollectedConversation = z.strictObject({
  conversation: z.string(),
  /**
   * `swept`: only what no record names; `collected`: all artifacts, its log stays. `skipped`: it is
   * open, or its log does not hold; nothing of it was touched.
   */
  status: z.enum(["swept", "collected", "skipped"]),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Why it was skipped. */
  reason: z.string().optional(),
})
export type CollectedConversation = z.infer<typeof CollectedConversation>
