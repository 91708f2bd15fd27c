import type { ChildProcess } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { ImageSource } from "@harness/protocol"
import * as z from "zod"
import type { WorkerSandbox } from "../containment/sandbox.ts"
import { endTree, signalGroup } from "../processes/signal-group.ts"
import { type Spawned, spawnGroup } from "../processes/spawn.ts"
import { messageOf } from "../thrown.ts"
import type { CodecLimits } from "./codec.ts"
import { findLayout, type Layout } from "./layout.ts"

export type Decoded =
  | {
      status: "decoded"
      media_type: string
      width: number
      height: number
      source: ImageSource
      /** What the model is sent. */
      bytes: Uint8Array
      /** The most memory that decoding took. */
      peakBytes: number
    }
  /** `reason` continues a sentence that names the image. */
  | {
      status: "failed"
      error: "image_damaged" | "image_too_large" | "image_unscaled"
      reason: string
    }

export type DecoderOptions = {
  sandbox: WorkerSandbox
  /** For folders that last as long as one image: no command may write there. */
  scratch: string
  /** In the environment of all that the conversation starts. */
  tag: string
}

/** A process is given this long beyond what the library is given, to start and to answer. */
const spareMs = 10_000

const decodeSeconds = 20

/** Two images are not decoded side by side: one may take half a gigabyte. */
export interface Decoder {
  /** When `signal` is aborted it ends at once, as `image_unscaled`. */
  decode(
    bytes: Uint8Array,
    limits: Omit<CodecLimits, "seconds">,
    signal?: AbortSignal,
  ): Promise<Decoded>
}

/**
 * Decodes images, each in a short-lived process: what comes from outside is parsed by native code, and
 * there it has no network and nothing to write to, and can be killed. With `--sandbox off` it is a
 * plain process, as commands are.
 */
export function createDecoder(options: DecoderOptions): Decoder {
  let turn: Promise<unknown> = Promise.resolve()
  return {
    decode(bytes, limits, signal = never) {
      const decoded = turn.then(() => {
        if (signal.aborted) return unscaled("it was interrupted")
        return decodeOne(bytes, { ...limits, seconds: decodeSeconds }, { ...options, signal })
      })
      turn = decoded.catch(() => {})
      return decoded
    },
  }
}

const never = new AbortController().signal

async function decodeOne(
  bytes: Uint8Array,
  limits: CodecLimits,
  { signal, ...options }: DecoderOptions & { signal: AbortSignal },
): Promise<Decoded> {
  const folder = realpathSync(mkdtempSync(join(options.scratch, "harness-image-")))
  try {
    const started = await start(findLayout(import.meta.url), { folder, limits, ...options })
    if (started.status === "not_started") return unscaled(started.reason)

    const { child, group } = started
    const kill = () => void endGroup(group)
    const timer = setTimeout(kill, limits.seconds * 1_000 + spareMs)
    signal.addEventListener("abort", kill, { once: true })
    if (signal.aborted) kill()
    try {
      const exchanged = await exchange(child, bytes, { mostBytes: limits.limit_bytes, kill })
      return signal.aborted ? unscaled("it was interrupted") : ended(exchanged, bytes)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener("abort", kill)
      const { exitCode, signalCode } = child
      started.ran({ status: "exited", exitCode, signal: signalCode, elapsedMs: 0, drained: true })
    }
  } catch (error) {
    return unscaled(messageOf(error))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In a sandbox as commands have one, but with nothing of the project to write to. */
function start(
  { childFile, nodeFlags, folders }: Layout,
  { folder, limits, sandbox, tag }: DecoderOptions & { folder: string; limits: CodecLimits },
): Promise<Spawned> {
  const { provider, policy } = sandbox
  const shown = [...(policy.shown ?? []), ...folders, dirname(process.execPath)]
  return spawnGroup({
    command: {
      argv: [process.execPath, ...nodeFlags, childFile, JSON.stringify(limits)],
      cwd: folder,
      env: { HARNESS_SESSION: tag },
    },
    sandbox: { provider, network: false, policy: { ...policy, root: folder, temp: folder, shown } },
    network: false,
    neighbours: undefined,
    controlled: [],
    alone: false,
    stdio: ["pipe", "pipe", "pipe"],
    folder,
  })
}

function endGroup(group: number): boolean {
  return process.platform === "win32" ? endTree(group) : signalGroup(group, "SIGKILL")
}

function unscaled(reason: string): Decoded {
  return { status: "failed", error: "image_unscaled", reason: `cannot be decoded here (${reason})` }
}

type Exchanged = { output: Buffer; errors: string; signal: NodeJS.Signals | null }

/** What a child may answer at most: no image that fits its limits is larger. */
const headBytes = 65_536

function exchange(
  child: ChildProcess,
  bytes: Uint8Array,
  { mostBytes, kill }: { mostBytes: number; kill: () => void },
): Promise<Exchanged> {
  const chunks: Buffer[] = []
  let size = 0
  let errors = ""
  child.stdout?.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size > mostBytes + headBytes) kill()
    else chunks.push(chunk)
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-2_000)
  })
  // A child that ended early is told by its end.
  child.stdin?.on("error", () => {})
  child.stdin?.end(bytes)
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (_code, signal) => {
      resolve({ output: Buffer.concat(chunks), errors, signal })
    })
  })
}

const Head = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("coded"),
    media_type: z.string(),
    width: z.int().positive(),
    height: z.int().positive(),
    source: ImageSource,
    changed: z.boolean(),
    peak_bytes: z.number(),
  }),
  z.strictObject({ status: z.literal("failed"), reason: z.string(), peak_bytes: z.number() }),
])

function ended({ output, errors, signal }: Exchanged, bytes: Uint8Array): Decoded {
  const end = output.indexOf("\n")
  const head = Head.safeParse(jsonOf(output.subarray(0, Math.max(end, 0)).toString()))
  if (!head.success) {
    if (signal !== null) return tooLarge("took too long, or too much memory, to decode")
    const said =
      errors
        .trim()
        .split("\n")
        .find(line => /error/i.test(line)) ?? "it gave no answer"
    return unscaled(said)
  }
  if (head.data.status === "failed") return failed(head.data.reason)

  const { status: _coded, changed, peak_bytes: peakBytes, ...coded } = head.data
  const sent = changed ? Uint8Array.from(output.subarray(end + 1)) : bytes
  return { status: "decoded", ...coded, bytes: sent, peakBytes }
}

/** In the library's words, which name no reason that is not there. */
function failed(reason: string): Decoded {
  if (/pixel limit/.test(reason)) return tooLarge("has more pixels than are decoded")
  if (/timeout/i.test(reason)) return tooLarge("took too long to decode")
  if (reason === "too_large") return tooLarge("could not be made small enough")
  const [line = ""] = reason.trim().split("\n")
  return { status: "failed", error: "image_damaged", reason: `cannot be decoded (${line})` }
}

function tooLarge(reason: string): Decoded {
  return { status: "failed", error: "image_too_large", reason }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
