import { fork } from "node:child_process"
import {
  type EvidenceLink,
  type Failure,
  failure,
  HarnessFailure,
  type ImageLimits,
  type ImagePart,
  type Json,
  type JsonObject,
  type Permit,
  type Preview,
  type ProcessReceipt,
  type Ticket,
  toFailure,
  WORKER_PROTOCOL,
  type WorkerFrame,
  WorkerReply,
} from "@harness/protocol"
import { imageSubject, signTicket, ticketKey } from "@harness/protocol/ticket"
import { lastText } from "./last-text.ts"
import { imageIn, type WorkerImage } from "./worker-image.ts"

/** How a frame ended at the worker. `lost`: the worker is gone and nobody saw the end. */
export type WorkerEnd =
  | {
      status: "ended"
      result: JsonObject
      evidence: EvidenceLink[]
      evidenceBytes: number
      process?: ProcessReceipt
      images: ImagePart[]
      cancelled: boolean
    }
  | { status: "refused"; failure: Failure }
  /** With the processes that it had begun: their receipts are beside their outputs, soon. */
  | { status: "lost"; processes: readonly string[] }

/** Told of processes that outlive their actions. */
export interface ProcessListener {
  ended(end: Extract<WorkerReply, { type: "process_ended" }>): void
  /** The worker is gone, and with it all that ran. */
  lost(): void
}

export type WorkerPreview =
  | { status: "previewed"; preview: Preview; basis: Json }
  | { status: "refused"; failure: Failure }
  | { status: "lost" }

export type WorkerCall = {
  actionId: string
  action: string
  input: JsonObject
  permits: readonly Permit[]
}

/** One worker process: the frames of {@link WorkerFrame} over Node's IPC, each with its ticket. */
export interface WorkerLink {
  /** Rejects with the worker's own failure, or `worker_failed`. */
  readonly ready: Promise<Extract<WorkerReply, { type: "ready" }>>
  /** True when the process is gone. */
  readonly lost: boolean
  preview(call: WorkerCall): Promise<WorkerPreview>
  /** `signal` cancels the action; its end still comes, with `cancelled`. */
  run(
    call: WorkerCall & { basis: Json; grantBytes: number; images?: ImageLimits },
    options: { signal: AbortSignal; onOutput: (text: string) => void },
  ): Promise<WorkerEnd>
  /**
   * Judges an image and makes it fit; `signal` ends that. Rejects with the worker's failure when that
   * is not what came of it.
   */
  image(
    sent: { id: string; sha256: string; bytes: Uint8Array<ArrayBuffer> },
    images: ImageLimits,
    signal: AbortSignal,
  ): Promise<WorkerImage>
  /** Whether the root's repository has uncommitted changes; null when nobody knows. Never rejects. */
  dirty(limitMs: number): Promise<boolean | null>
  /** Files whose path holds the letters, best first. None when the worker is gone. Never rejects. */
  paths(letters: string, limit: number): Promise<string[]>
  /** Ends its processes, then the worker. Resolves with the receipts of what still ran. */
  close(): Promise<ProcessReceipt[]>
}

type Hello = Omit<Extract<WorkerFrame, { type: "hello" }>, "type" | "protocol" | "key">

export type WorkerLinkOptions = {
  /** The worker's entry: a file path. */
  entry: string
  nodeFlags: readonly string[]
  /** The worker's own environment; no secret belongs in it. */
  env: Record<string, string>
  kind: string
  hello: Hello
  /** Hexadecimal; signs the tickets of this worker alone. */
  key: string
  /** How long a worker may take to end by itself before it is killed. */
  closeSeconds: number
  processes: ProcessListener
}

type Waiting = {
  /** Processes of the frame, as they began. */
  processes: string[]
  onOutput?: (text: string) => void
  settle: (reply: WorkerReply | "lost") => void
}

export function startWorker(options: WorkerLinkOptions): WorkerLink {
  const key = ticketKey(options.key)
  const child = fork(options.entry, [], {
    execArgv: [...options.nodeFlags],
    env: options.env,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // As JSON, a window of a file would be escaped and parsed on its way: half a millisecond of it.
    serialization: "advanced",
    // A terminal's signals go to the controller, which decides what to tell the worker.
    detached: true,
  })
  const stderr = lastText(child)
  const waiting = new Map<number, Waiting>()
  /** Where the output of a process goes whose action has ended, by the frame's id. */
  const outliving = new Map<number, { process: string; onOutput: (text: string) => void }>()
  let nextId = 1
  let lost = false
  // Not `close`: Node does not emit it when it was this side that disconnected.
  const exited = new Promise<void>(resolve => child.once("exit", () => resolve()))

  const ready = Promise.withResolvers<Extract<WorkerReply, { type: "ready" }>>()
  const closed = Promise.withResolvers<ProcessReceipt[]>()
  ready.promise.catch(() => {})

  child.on("message", received => {
    const reply = WorkerReply.safeParse(received)
    if (!reply.success) return child.kill("SIGKILL")
    if (reply.data.type === "ready") return ready.resolve(reply.data)
    if (reply.data.type === "failed") return ready.reject(new HarnessFailure(reply.data.failure))
    if (reply.data.type === "closed") return closed.resolve(reply.data.receipts)
    if (reply.data.type === "process_ended") return endProcess(reply.data)
    const waiter = reply.data.id === null ? undefined : waiting.get(reply.data.id)
    if (reply.data.type === "process_began") return void waiter?.processes.push(reply.data.process)
    if (reply.data.type === "output") {
      const listener = waiter ?? outliving.get(reply.data.id)
      return listener?.onOutput?.(reply.data.text)
    }
    if (reply.data.type === "ended" && reply.data.output) waiter?.onOutput?.(reply.data.output)
    return waiter?.settle(reply.data)
  })
  const endProcess = (end: Extract<WorkerReply, { type: "process_ended" }>) => {
    for (const [id, { process }] of outliving) if (process === end.receipt.id) outliving.delete(id)
    options.processes.ended(end)
  }
  const lose = (reason: string) => {
    lost = true
    ready.reject(failure("worker_failed", { kind: options.kind, reason }))
    closed.resolve([])
    for (const waiter of [...waiting.values()]) waiter.settle("lost")
    options.processes.lost()
  }
  child.on("error", error => lose(error.message))
  child.on("exit", (code, signal) => {
    lost = true
    const said = stderr().trim().split("\n").at(-1) ?? ""
    const reason = `it ended with ${signal ?? `exit code ${code}`}${said === "" ? "" : ` (${said})`}`
    // What it said last may still be on its way: the channel closes after that.
    if (child.connected) child.once("disconnect", () => lose(reason))
    else lose(reason)
  })

  const send = (frame: WorkerFrame) => {
    if (child.connected) child.send(frame, () => {})
  }
  send({ type: "hello", protocol: WORKER_PROTOCOL, key: options.key, ...options.hello })

  function exchange(
    frame: (id: number) => WorkerFrame,
    onOutput?: (text: string) => void,
  ): { id: number; reply: Promise<WorkerReply | "lost">; processes: readonly string[] } {
    const id = nextId++
    const processes: string[] = []
    const reply = new Promise<WorkerReply | "lost">(resolve => {
      if (lost) return resolve("lost")
      const settle = (value: WorkerReply | "lost") => {
        waiting.delete(id)
        resolve(value)
      }
      waiting.set(id, { settle, processes, ...(onOutput && { onOutput }) })
      return send(frame(id))
    })
    return { id, reply, processes }
  }

  /** The reply; an abort asks the worker to end what it is for. */
  async function cancellable(
    id: number,
    reply: Promise<WorkerReply | "lost">,
    signal: AbortSignal,
  ) {
    const cancel = () => send({ type: "cancel", id })
    if (signal.aborted) cancel()
    signal.addEventListener("abort", cancel, { once: true })
    const end = await reply
    signal.removeEventListener("abort", cancel)
    return end
  }

  function ticket(type: "preview" | "run", call: WorkerCall): Ticket {
    const { actionId, action, input, permits } = call
    return { action_id: actionId, mac: signTicket(key, { type, actionId, action, input, permits }) }
  }

  return {
    ready: ready.promise,
    get lost() {
      return lost
    },
    async preview(call) {
      const { action, input, permits } = call
      const { reply } = exchange(id => ({
        type: "preview",
        id,
        ticket: ticket("preview", call),
        action,
        input,
        permits: [...permits],
      }))
      const end = await reply
      if (end === "lost") return { status: "lost" }
      if (end.type === "previewed") {
        return { status: "previewed", preview: end.preview, basis: end.basis }
      }
      return { status: "refused", failure: refusal(end, action) }
    },
    async run(call, { signal, onOutput }) {
      const { action, input, permits, basis, grantBytes, images } = call
      const { id, reply, processes } = exchange(
        frameId => ({
          type: "run",
          id: frameId,
          ticket: ticket("run", call),
          action,
          input,
          basis,
          permits: [...permits],
          grant_bytes: grantBytes,
          ...(images && { images }),
        }),
        onOutput,
      )
      const end = await cancellable(id, reply, signal)
      if (end === "lost") return { status: "lost", processes }
      if (end.type !== "ended") return { status: "refused", failure: refusal(end, action) }
      return {
        status: "ended",
        result: end.result,
        evidence: end.evidence,
        evidenceBytes: end.evidence_bytes,
        images: end.images ?? [],
        cancelled: end.cancelled,
        ...(end.process && { process: end.process }),
      }
    },
    async image({ id: actionId, sha256, bytes }, images, signal) {
      const subject = { type: "image" as const, actionId, ...imageSubject(sha256) }
      const { id, reply } = exchange(frameId => ({
        type: "image",
        id: frameId,
        ticket: { action_id: actionId, mac: signTicket(key, subject) },
        ...{ sha256, bytes, images },
      }))
      return imageIn(await cancellable(id, reply, signal), options.kind)
    },
    async dirty(limitMs) {
      const end = await exchange(id => ({ type: "dirty", id, limit_ms: limitMs })).reply
      return end !== "lost" && end.type === "dirty" ? end.dirty : null
    },
    async paths(letters, limit) {
      const end = await exchange(id => ({ type: "paths", id, letters, limit })).reply
      return end !== "lost" && end.type === "paths" ? end.paths : []
    },
    async close() {
      if (lost) return []
      send({ type: "close" })
      const kill = setTimeout(() => child.kill("SIGKILL"), options.closeSeconds * 1000)
      const receipts = await closed.promise
      // It has nothing left to do, and a Node that ends by itself takes its time.
      child.kill("SIGKILL")
      await exited
      clearTimeout(kill)
      return receipts
    },
  }
}

function refusal(reply: WorkerReply, action: string): Failure {
  if (reply.type === "refused") return reply.failure
  return toFailure(failure("ticket_refused", { action, reason: `it answered with ${reply.type}` }))
}
