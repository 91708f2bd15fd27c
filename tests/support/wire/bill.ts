import * as z from "zod"
import type { WireAnswer, WireReply } from "./dialect.ts"
import type { WireRequest } from "./server.ts"

/** USD per million tokens. */
export type BillPrice = { input: number; output: number }

/** What a vendor has put on the bill, for chat completions. */
export type Bill = {
  usd: number
  /** Answers with this, and bills it; the output is as long as the request lets it be. */
  answer(request: WireRequest, answer: WireAnswer): WireAnswer
  /** As vendors do it: a refusal costs nothing, and what nobody reads to its end is paid for. */
  reply(request: WireRequest, reply: WireReply): WireReply
}

const Body = z.object({ max_tokens: z.number() })

/** About as many tokens as a text has. */
const bytesPerToken = 4

/** A vendor's bill for what its server is asked, which no client sees. */
export function startBill(price: BillPrice): Bill {
  const bill: Bill = {
    usd: 0,
    answer({ text, body }, answer) {
      const input = Math.ceil(Buffer.byteLength(text) / bytesPerToken)
      const output = Body.parse(body).max_tokens
      bill.usd += (input * price.input + output * price.output) / 1e6
      return { ...answer, usage: { input, output } }
    },
    reply(request, reply) {
      if ("status" in reply) return reply
      if (!("drop" in reply)) return bill.answer(request, reply)
      bill.answer(request, {})
      return reply
    },
  }
  return bill
}
