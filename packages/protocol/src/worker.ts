import * as z from "zod"
import { Failure } from "./failures.ts"
import { ImageLimits, ImageTaken } from "./images.ts"
import { Json, JsonObject, Sha256 } from "./json.ts"
import { Limits } from "./limits.ts"
import { ImagePart } from "./messages.ts"
import { Permit } from "./permits.ts"
import { Preview } from "./preview.ts"
import { EvidenceLink, ProcessReceipt } from "./receipts.ts"

/** The version of the frames below; a worker refuses a controller that speaks another. */
export const WORKER_PROTOCOL = 1

/**
 * Proof that the scheduler lets this frame run: an HMAC-SHA256 under the key that the controller
 * gave the worker at its start, over the frame's type, action id, action and input. Good for one use.
 */
export const Ticket = z.strictObject({ action_id: z.string(), mac: z.string() })
export type Ticket = z.infer<typeof Ticket>

/** Where a definition is loaded from, and which modules of the host it shares. */
export const ModuleSource = z.strictObject({
  /** File URL of the module that exports the definition. */
  url: z.string(),
  /** The definition's name in it. */
  name: z.string(),
  /** `@harness/*` specifiers and the file URLs of the host's own copies. */
  hosted: z.record(z.string(), z.string()),
  /** A linked checkout: its TypeScript runs as it is. */
  linked: z.boolean(),
  /**
   * File URL of a folder out of which nothing else is imported: what somebody trusted is what is in
   * it. Absent for a package that was installed.
   */
  within: z.string().optional(),
})
export type ModuleSource = z.infer<typeof ModuleSource>

// Both are lazy: each process parses only what the other sends.
export const WorkerFrame = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("hello"),
      protocol: z.int(),
      /** Hexadecimal; signs the tickets. */
      key: z.string(),
      /** Marks every process of the conversation in its environment (HARNESS_SESSION). */
      tag: z.string(),
      module: ModuleSource,
      root: z.string(),
      /** The conversation's own temporary folder. */
      temp: z.string(),
      /** The conversation's artifacts: processes/ and evidence/ are written here. */
      artifacts: z.string(),
      limits: Limits,
      /** Variables that commands inherit besides the fixed few, already resolved. */
      environment: z.record(z.string(), z.string()),
      sandbox: z.enum(["os", "off"]),
      network: z.boolean(),
      /** HARNESS_HOME: hidden from commands. */
      home: z.string(),
      containment: z.strictObject({
        hide: z.array(z.string()),
        show: z.array(z.string()).default([]),
        unix_sockets: z.boolean(),
        debuggers: z.boolean(),
      }),
      /** `secrets.files` of the configuration. */
      secret_files: z.array(z.string()),
      /** Contents that were redacted: only their hashes are kept again. */
      redacted: z.array(Sha256).optional(),
    }),
    z.strictObject({
      type: z.literal("preview"),
      id: z.int(),
      ticket: Ticket,
      action: z.string(),
      input: JsonObject,
      /** What policy lets it see: a secret file is shown to nobody without. */
      permits: z.array(Permit),
    }),
    z.strictObject({
      type: z.literal("run"),
      id: z.int(),
      ticket: Ticket,
      action: z.string(),
      input: JsonObject,
      /** What the preview stood on; the action must refuse with `conflict` if it changed since. */
      basis: Json,
      permits: z.array(Permit),
      /** Bytes of evidence and output that this action may leave. */
      grant_bytes: z.int().nonnegative(),
      /** For actions that declare to show images: what these must fit in. */
      images: ImageLimits.optional(),
    }),
    /** An image that came with the user's message: judged and scaled where actions run. */
    z.strictObject({
      type: z.literal("image"),
      id: z.int(),
      ticket: Ticket,
      /** Of the bytes: what the ticket is for. */
      sha256: Sha256,
      bytes: z.instanceof(Uint8Array),
      images: ImageLimits,
    }),
    z.strictObject({ type: z.literal("cancel"), id: z.int() }),
    /** Asks whether the root's repository has uncommitted changes; looked for that long at most. */
    z.strictObject({
      type: z.literal("dirty"),
      id: z.int(),
      limit_ms: z.number().positive(),
    }),
    /** Asks for files whose path holds the letters, in their order; best first. */
    z.strictObject({
      type: z.literal("paths"),
      id: z.int(),
      letters: z.string(),
      limit: z.int().positive(),
    }),
    /** Ends every process, then the worker. */
    z.strictObject({ type: z.literal("close") }),
  ]),
)
export type WorkerFrame = z.infer<typeof WorkerFrame>

export const WorkerReply = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("ready"),
      protocol: z.int(),
      pid: z.int(),
      /** Text for the first message: what AGENTS.md or CLAUDE.md says, with its name. */
      guidance: z.strictObject({ name: z.string(), text: z.string() }).nullable(),
    }),
    z.strictObject({ type: z.literal("failed"), failure: Failure }),
    z.strictObject({
      type: z.literal("previewed"),
      id: z.int(),
      preview: Preview,
      basis: Json,
    }),
    z.strictObject({ type: z.literal("output"), id: z.int(), text: z.string() }),
    /** Null: it is no repository, or was not found out in time. */
    z.strictObject({ type: z.literal("dirty"), id: z.int(), dirty: z.boolean().nullable() }),
    z.strictObject({ type: z.literal("paths"), id: z.int(), paths: z.array(z.string()) }),
    z.strictObject({
      type: z.literal("ended"),
      id: z.int(),
      result: JsonObject,
      evidence: z.array(EvidenceLink),
      evidence_bytes: z.int().nonnegative(),
      process: ProcessReceipt.optional(),
      /** The last of what `output` told. */
      output: z.string().optional(),
      /** Shown to the model with the result; each is among the evidence. */
      images: z.array(ImagePart).optional(),
      cancelled: z.boolean(),
    }),
    z.strictObject({
      type: z.literal("image_taken"),
      id: z.int(),
      taken: ImageTaken,
      /** What the model is sent, for the controller to keep; null when it was refused. */
      bytes: z.instanceof(Uint8Array).nullable(),
    }),
    /** The frame was not run: no ticket, a forged or used one, an unknown action, a broken input. */
    z.strictObject({ type: z.literal("refused"), id: z.int().nullable(), failure: Failure }),
    /** Told before it starts: whose process it is that has no end yet when the worker is lost. */
    z.strictObject({ type: z.literal("process_began"), id: z.int(), process: z.string() }),
    /**
     * The end of a process that its action left running: `ended` had it as `running`. Comes after
     * that, with what it left since.
     */
    z.strictObject({
      type: z.literal("process_ended"),
      receipt: ProcessReceipt,
      evidence: z.array(EvidenceLink),
      evidence_bytes: z.int().nonnegative(),
    }),
    z.strictObject({ type: z.literal("closed"), receipts: z.array(ProcessReceipt) }),
  ]),
)
export type WorkerReply = z.infer<typeof WorkerReply>
