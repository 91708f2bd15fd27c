import * as z from "zod"
import { Sha256 } from "./json.ts"

/** Policy decides by the effect; the scheduler lets `read` and `observe` run side by side. */
export const Effect = z.enum(["read", "observe", "write", "execute", "interact"])
export type Effect = z.infer<typeof Effect>

/**
 * How a process ended. Only `exited` says that it ran to its own end. `session_closed`: it was ended
 * with the conversation, or with a worker that was lost. `unknown`: nobody saw whether it ended.
 */
export const ProcessStatus = z.enum([
  "running",
  "exited",
  "cancelled",
  "timeout",
  "output_limit",
  "session_closed",
  "unknown",
  "not_started",
])
export type ProcessStatus = z.infer<typeof ProcessStatus>

/** How a process was contained, and what it touched that others act on. */
export const Containment = z.strictObject({
  sandbox: z.enum(["bubblewrap", "seatbelt", "off"]),
  /** False: it had no network. */
  network: z.boolean(),
  /** Control files and files like package.json that it made, changed or removed. */
  touched: z.array(z.string()).optional(),
  /** Files of the root with another name (a hard link) that it changed: perhaps outside the root. */
  hard_links: z.array(z.string()).optional(),
  /** What the output suggests, e.g. that the network was off. */
  hint: z.string().optional(),
})
export type Containment = z.infer<typeof Containment>

/** A file or link as it was at one moment. */
export const FileState = z.strictObject({
  type: z.enum(["file", "link"]),
  bytes: z.int().nonnegative(),
  /** Permission bits. */
  mode: z.int().nonnegative(),
  /** Of the content, of a link its target; null when it was not read: too large, or gone by then. */
  sha256: Sha256.nullable(),
})
export type FileState = z.infer<typeof FileState>

/** A file that a process made (`before` is null), removed (`after` is null) or changed. */
export const FileChange = z.strictObject({
  /** Relative to the root, with `/`. */
  path: z.string(),
  before: FileState.nullable(),
  after: FileState.nullable(),
})
export type FileChange = z.infer<typeof FileChange>

/**
 * What a look at the root before a process and one after it differ in. Contents are evidence of the
 * action, in the roles `command_before` and `command_after`, as far as they could be kept.
 */
export const ProcessChanges = z.strictObject({
  /** By path. */
  files: z.array(FileChange),
  /** True: there may be more, in a tree too large to be looked at whole or in too long a list. */
  truncated: z.boolean(),
  /** Other processes of the conversation that ran meanwhile: what is listed may be theirs. */
  beside: z.array(z.string()).optional(),
})
export type ProcessChanges = z.infer<typeof ProcessChanges>

/** The terminal record of a process; also written as `receipt.json` beside its output. */
export const ProcessReceipt = z.strictObject({
  id: z.string(),
  status: ProcessStatus,
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  elapsed_seconds: z.number().nonnegative(),
  /** Bytes kept on disk. */
  output_bytes: z.int().nonnegative(),
  /** Bytes that came after the output was full; they were read and thrown away. */
  dropped_bytes: z.int().nonnegative(),
  output_sha256: Sha256,
  /** Pages through the output: `output:<id>`. */
  output_id: z.string(),
  /** True when the preview is not the whole output. */
  truncated: z.boolean(),
  /**
   * Why it did not start; or why its end is not told by its worker: `worker_lost`, `forked` (it ran in
   * the conversation that this one was forked from).
   */
  reason: z.string().optional(),
  /** Absent for what did not start. */
  containment: Containment.optional(),
  /** Files below the root that changed while it ran; absent when none did. */
  changes: ProcessChanges.optional(),
})
export type ProcessReceipt = z.infer<typeof ProcessReceipt>

/** A payload by its hash, and what it is to the action that left it: `before`, `after`, `output`, … */
export const EvidenceLink = z.strictObject({
  role: z.string(),
  sha256: Sha256,
  bytes: z.int().nonnegative(),
  /** The file it belongs to, relative to the root. */
  path: z.string().optional(),
  /** The content of a secret file: it is known by its hash and was not kept. */
  withheld: z.literal(true).optional(),
})
export type EvidenceLink = z.infer<typeof EvidenceLink>

/**
 * `ok`: it ran and its result is data (a nonzero exit too). `error`: it ran or was refused and the
 * result says why. `denied`: policy or a person said no. `cancelled`: interrupted. `unknown`: the
 * worker was lost, so nobody saw the end.
 */
export const ActionStatus = z.enum(["ok", "error", "denied", "cancelled", "unknown"])
export type ActionStatus = z.infer<typeof ActionStatus>

/** The terminal record of an action. */
export const ActionReceipt = z.strictObject({
  status: ActionStatus,
  elapsed_ms: z.number().nonnegative(),
  /** What the evidence and output of this action weigh, settled to the real size. */
  evidence_bytes: z.int().nonnegative(),
  evidence: z.array(EvidenceLink),
  process: ProcessReceipt.optional(),
})
export type ActionReceipt = z.infer<typeof ActionReceipt>
