import { isFailure } from "@harness/protocol"
import type { ModelRequest } from "@harness/sdk"
import type { Budget, LimitReached, Reserved } from "../budget/budget.ts"
import { collect, type Reply } from "../provider/collect.ts"
import type { Model } from "../provider/resolve.ts"
import type { Recorder } from "./recorder.ts"

/**
 * How a request ended. `unanswered`: how many tries of it were sent and not refused, and then lost;
 * each may have been billed and counts as it was reserved.
 */
export type Requested =
  | { status: "answered"; reply: Reply; cost: number | null; unanswered: number }
  | { status: "failed"; error: unknown; unanswered: number }
  /** Its last try may have been billed, and another one does not fit. */
  | { status: "limit"; reached: LimitReached; error: unknown; unanswered: number }

export type RequestParts = {
  model: Model
  budget: Budget
  recorder: Recorder
  now: () => number
}

/** Makes a request that is reserved, and enters what it came to, however it ends. Never rejects. */
export async function paidRequest(
  { model, budget, recorder, now }: RequestParts,
  reserved: Reserved,
  { signal, ...asked }: Omit<ModelRequest, "model" | "maxOutputTokens"> & { signal: AbortSignal },
): Promise<Requested> {
  const { maxOutputTokens } = reserved
  const request: ModelRequest = {
    ...asked,
    model: model.name,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
  let unanswered = 0
  let reached: LimitReached | null = null

  const repeat = ({ lost }: { lost: boolean }) => {
    if (!lost) return
    unanswered += 1
    reached = budget.repeat(reserved)
    if (reached !== null) throw new Error(reached.message)
  }

  try {
    const reply = await collect(model.provider, request, {
      signal,
      now,
      pass: recorder.pass,
      name: model.providerName,
      repeat,
    })
    const cost = budget.settle(reserved, { usage: reply.usage, cost: reply.cost })
    return { status: "answered", reply, cost, unanswered }
  } catch (error) {
    if (reached !== null) {
      // The try that was lost is what is held; none is in flight beside it.
      budget.lose(reserved)
      return { status: "limit", reached, error, unanswered }
    }
    if (cannotBeBilled(error)) {
      budget.release(reserved)
      return { status: "failed", error, unanswered }
    }
    budget.lose(reserved)
    return { status: "failed", error, unanswered: unanswered + 1 }
  }
}

/** Only who knows that says so; an abort, too, comes when some of an answer may have been made. */
function cannotBeBilled(error: unknown): boolean {
  if (!isFailure(error)) return false
  // Other failures are found before anything is sent.
  return !isFailure(error, "provider_failed") || error.details.unbilled === true
}
