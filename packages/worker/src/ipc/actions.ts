import {
  failure,
  Json,
  type JsonObject,
  Preview,
  toFailure,
  type WorkerReply,
} from "@harness/protocol"
import type { AnyAction, KindDefinition } from "@harness/sdk"
import * as z from "zod"
import type { LeftProcess } from "../processes/processes.ts"
import { messageOf } from "../thrown.ts"
import { actingContext, lookingHost, type World } from "./context.ts"
import { asJson, isJsonObject } from "./json.ts"
import { liveText } from "./live-text.ts"
import type { TicketBook, TicketedFrame } from "./ticket-book.ts"

/** Sends a reply; `sent` is called when it has left. */
export type Send = (reply: WorkerReply, sent?: () => void) => void

/** The actions that are under way. */
export interface Actions {
  /** Runs a frame if its ticket holds, and sends what came of it. Never rejects. */
  perform(frame: TicketedFrame): Promise<void>
  cancel(id: number): void
}

/** The answer to a preview, as a kind that is not typed may miss it. */
const Previewed = z.strictObject({
  type: z.literal("previewed"),
  id: z.int(),
  preview: Preview,
  basis: Json,
})

type RunFrame = Extract<TicketedFrame, { type: "run" }>
type PreviewFrame = Extract<TicketedFrame, { type: "preview" }>

export function actionsOf(options: {
  kind: KindDefinition
  world: World
  tickets: TicketBook
  send: Send
}): Actions {
  const { kind, world, tickets, send } = options
  const underWay = new Map<number, AbortController>()

  return {
    async perform(frame) {
      const found = accept(frame)
      if ("code" in found) {
        return send({ type: "refused", id: frame.id, failure: toFailure(found) })
      }

      const abort = new AbortController()
      underWay.set(frame.id, abort)
      const { reply, left } =
        frame.type === "run"
          ? await run(found, frame, abort.signal)
          : { reply: await preview(found, frame, abort.signal), left: [] }
      underWay.delete(frame.id)
      send(reply)
      for (const process of left) void tellEnd(process)
    },

    cancel: id => underWay.get(id)?.abort(),
  }

  function accept(frame: TicketedFrame) {
    const refuse = (reason: string) => failure("ticket_refused", { action: frame.action, reason })
    const reason = tickets.refusalOf(frame)
    if (reason !== undefined) return refuse(reason)
    if (underWay.has(frame.id)) return refuse(`another frame has the id ${frame.id}`)

    const action = kind.actions.find(({ name }) => name === frame.action)
    if (action === undefined) {
      const known = kind.actions.map(({ name }) => name).join(", ")
      return failure("action_unknown", { kind: kind.name, action: frame.action, known })
    }
    const parsed = action.input.safeParse(frame.input)
    return parsed.success ? action : refuse(`its input does not fit: ${parsed.error.message}`)
  }

  async function run(
    action: AnyAction,
    frame: RunFrame,
    signal: AbortSignal,
  ): Promise<{ reply: WorkerReply; left: readonly LeftProcess[] }> {
    const live = liveText((text, sent) => send({ type: "output", id: frame.id, text }, sent))
    const { context, evidence, images, receipt, left, dispose } = actingContext(world, {
      effect: action.effect,
      basis: frame.basis,
      permits: frame.permits,
      signal,
      grantBytes: frame.grant_bytes,
      images: action.shows ? frame.images : undefined,
      live,
      starting: process => send({ type: "process_began", id: frame.id, process }),
    })
    const result = await resultOf(() => action.run(frame.input, context))
    const output = live.rest()
    dispose()

    const process = receipt()
    const reply: WorkerReply = {
      type: "ended",
      id: frame.id,
      result,
      evidence: [...evidence.links],
      evidence_bytes: evidence.usedBytes,
      ...(process !== undefined && { process }),
      ...(output !== "" && { output }),
      ...(images.shown.length > 0 && { images: [...images.shown] }),
      cancelled: signal.aborted,
    }
    return { reply, left: left() }
  }

  /** What its action left running: told after the action's own end, in which it still runs. */
  async function tellEnd({ ended, evidence }: LeftProcess): Promise<void> {
    const { receipt } = await ended
    send({
      type: "process_ended",
      receipt,
      evidence: [...evidence.links],
      evidence_bytes: evidence.usedBytes,
    })
  }

  async function preview(
    action: AnyAction,
    frame: PreviewFrame,
    signal: AbortSignal,
  ): Promise<WorkerReply> {
    if (action.preview === undefined) {
      const text = JSON.stringify(frame.input, null, 2)
      return { type: "previewed", id: frame.id, preview: { format: "text", text }, basis: null }
    }
    const context = {
      ...lookingHost(world, frame.permits),
      signal,
      report: () => undefined,
      keep: async () => null,
      images: { show: () => Promise.reject(new Error("images are shown by an action's run only")) },
      kept: async (sha256: string) => world.payloads.get(sha256),
    }
    try {
      const { preview, basis } = await action.preview(frame.input, context)
      return Previewed.parse({ type: "previewed", id: frame.id, preview, basis })
    } catch (error) {
      return { type: "refused", id: frame.id, failure: toFailure(error) }
    }
  }
}

/** What can be expected to go wrong is in the result already; a throw becomes one too. */
async function resultOf(run: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    const result: unknown = await run()
    if (isJsonObject(result)) return result
    const written = asJson(result)
    return isJsonObject(written) ? written : failed("its result is not an object")
  } catch (error) {
    return failed(messageOf(error))
  }
}

function failed(message: string): JsonObject {
  return { error: "failed", message }
}
