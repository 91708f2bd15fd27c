import {
  failure,
  toFailure,
  WORKER_PROTOCOL,
  WorkerFrame,
  type WorkerReply,
} from "@harness/protocol"
import * as z from "zod"
import type { Send } from "./actions.ts"
import { assertProtocol, type Hello, type OpenEnvironment, openEnvironment } from "./environment.ts"
import type { ImageFrame } from "./ticket-book.ts"

/** The channel to the controller, as `process` has it. */
export interface Channel {
  readonly connected: boolean
  send?(message: WorkerReply, sent: (error: Error | null) => void): boolean
  on(event: "message", listener: (message: unknown) => void): unknown
  on(event: "disconnect" | NodeJS.Signals, listener: () => void): unknown
}

export type ServeOptions = {
  channel: Channel
  /** The worker's own variables; commands get the least of them. */
  env: Readonly<Record<string, string | undefined>>
  exit(): void
}

/** A worker that nobody listens to ends in any case, even beside a process that cannot be killed. */
const LAST_RESORT_MS = 120_000

/** What every hello has, whatever the version. */
const AnyHello = z.looseObject({
  type: z.literal("hello"),
  protocol: z.int(),
  module: z.looseObject({ name: z.string() }).optional(),
})

/** Every frame that can be answered by its id. */
const AnyFrame = z.looseObject({ type: z.string(), id: z.int().optional() })

/**
 * Answers the controller's frames until it closes the worker or is gone. Frames run side by side as
 * they come; their order is the scheduler's business.
 */
export function serve({ channel, env, exit }: ServeOptions): void {
  let environment: Promise<OpenEnvironment | undefined> | undefined
  /** Of the user, under way. */
  const images = new Map<number, AbortController>()
  let ending = false

  const send: Send = (reply, sent = () => undefined) => {
    // The controller may be gone, and processes still have to be ended.
    if (channel.connected) channel.send?.(reply, sent)
    else sent()
  }
  const end = () => {
    if (ending) return
    ending = true
    setTimeout(exit, LAST_RESORT_MS)
    void closeAll(environment).then(receipts => send({ type: "closed", receipts }, exit))
  }

  channel.on("message", message => {
    void receive(message)
  })
  channel.on("disconnect", end)
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) channel.on(signal, end)

  async function receive(message: unknown): Promise<void> {
    if (environment === undefined) {
      const hello = AnyHello.safeParse(message)
      if (hello.success) {
        environment = open(message, hello.data)
        return
      }
    }

    const frame = WorkerFrame.safeParse(message)
    if (!frame.success) return refuse(message, z.prettifyError(frame.error))
    if (frame.data.type === "close") return end()

    const opened = await environment
    if (opened === undefined) return refuse(message, "there was no hello before it")
    if (frame.data.type === "hello") return refuse(message, "there was a hello before")
    if (frame.data.type === "cancel") {
      images.get(frame.data.id)?.abort()
      return opened.actions.cancel(frame.data.id)
    }
    if (frame.data.type === "dirty") {
      const { id, limit_ms: limitMs } = frame.data
      return send({ type: "dirty", id, dirty: await opened.world.scans.isDirty(limitMs) })
    }
    if (frame.data.type === "paths") {
      const { id, letters, limit } = frame.data
      const paths = await opened.paths()
      return send({ type: "paths", id, paths: await paths.find(letters, limit) })
    }
    if (frame.data.type === "image") return takeImage(frame.data, opened)
    await opened.actions.perform(frame.data)
  }

  async function takeImage(frame: ImageFrame, opened: OpenEnvironment): Promise<void> {
    const abort = new AbortController()
    images.set(frame.id, abort)
    const { takeSentImage } = await import("../images/sent-image.ts")
    send(await takeSentImage(frame, opened, abort.signal))
    images.delete(frame.id)
  }

  async function open(
    message: unknown,
    { protocol, module }: z.infer<typeof AnyHello>,
  ): Promise<OpenEnvironment | undefined> {
    try {
      assertProtocol({ protocol, kind: module?.name ?? "an unnamed kind" })
      const opened = await openEnvironment(helloOf(message), { send, env })
      const { guidance } = opened
      send({ type: "ready", protocol: WORKER_PROTOCOL, pid: process.pid, guidance })
      return opened
    } catch (error) {
      send({ type: "failed", failure: toFailure(error) })
      return undefined
    }
  }

  function refuse(message: unknown, reason: string): void {
    const frame = AnyFrame.safeParse(message)
    const { id = null, type = "a frame" } = frame.data ?? {}
    send({
      type: "refused",
      id,
      failure: toFailure(failure("ticket_refused", { action: type, reason })),
    })
  }
}

function helloOf(message: unknown): Hello {
  const frame = WorkerFrame.parse(message)
  if (frame.type === "hello") return frame
  throw new Error("the first frame was no hello")
}

async function closeAll(environment: Promise<OpenEnvironment | undefined> | undefined) {
  const opened = await environment
  const receipts = (await opened?.world.processes.close()) ?? []
  opened?.world.replacements.staging.close()
  return receipts
}
