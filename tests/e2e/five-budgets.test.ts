// Five agents that share one limit, each with the real loop's request, against a server that prices calls.
import { expect, onTestFinished, test } from "vitest"
import { type Budget, createBudget } from "../../packages/kernel/src/budget/budget.ts"
import { createTurnClock } from "../../packages/kernel/src/budget/turn-clock.ts"
import { paidRequest } from "../../packages/kernel/src/loop/paid-request.ts"
import type { Recorder } from "../../packages/kernel/src/loop/recorder.ts"
import { Limits, type Message } from "../../packages/protocol/src/index.ts"
import { openAICompatible } from "../../plugins/provider-openai-compatible/src/index.ts"
import { startBill } from "../support/wire/bill.ts"
import { bash, go } from "../support/wire/conversation.ts"
import type { WireReply } from "../support/wire/dialect.ts"
import { openaiChat } from "../support/wire/openai-chat.ts"
import { startWireServer } from "../support/wire/server.ts"

const limitUsd = 0.01
const price = { input: 0.3, output: 1.2 }

/** What goes wrong on the way: each costs the vendor's customer something else. */
const replies: readonly WireReply[] = [
  { text: "I look further.", pieces: 3 },
  { text: "I look further.", pieces: 3 },
  { drop: true },
  { status: 429, message: "Slow down.", headers: { "retry-after-ms": "1" } },
  { text: "I break off.", pieces: 3, fault: { afterFrames: 2, type: "cut" } },
  { text: "I break off before I begin.", fault: { afterFrames: 0, type: "cut" } },
]

test("five budgets of one limit never come to more than it, whatever is lost on the way", async () => {
  const bill = startBill(price)
  const server = await startWireServer({
    dialect: openaiChat,
    script: (request, n) => bill.reply(request, replies[n % replies.length] ?? {}),
  })
  onTestFinished(() => server.close())
  const env = { OPENAI_BASE_URL: server.baseUrl }
  const provider = await openAICompatible.create({ model: "m", env, config: {} })
  const model = {
    ...{ provider, providerName: "openai-compatible", name: "m", id: "openai-compatible/m", price },
    ...{ contextTokens: undefined, outputTokens: undefined, maxOutputTokens: 300 },
    ...{ images: undefined, notices: [] },
  }

  const root = createBudget({
    conversation: "c0ffee",
    limits: Limits.parse({ max_cost: limitUsd }),
    model: { ...model, fixedBytes: Buffer.byteLength(JSON.stringify(bash)) + 9 },
    clock: createTurnClock(() => 0),
    events: [],
    messages: [],
  })
  const turn = root.startTurn(new AbortController().signal)
  const child = () => root.child({ ...model, fixedBytes: 200 })

  const ends = await Promise.all(
    [root, child(), child(), child(), child()].map(budget => untilTheLimit(budget)),
  )
  turn.stop()

  for (const end of ends) {
    expect(end).toMatch(
      /^The cost limit of 0.01 USD is reached: .* harness run --resume c0ffee "go on" --max-cost 0.02$/,
    )
  }
  expect(bill.usd).toBeLessThanOrEqual(limitUsd)
  expect(bill.usd).toBeGreaterThan(limitUsd / 2)
  expect(root.spent().steps).toBeGreaterThan(10)

  /** One agent's loop: it goes on after what failed, as a person would. */
  async function untilTheLimit(budget: Budget): Promise<string> {
    const messages: Message[] = [go]
    const { signal } = turn
    for (;;) {
      const reserved = await budget.reserve({
        messages,
        maxOutputTokens: model.maxOutputTokens,
        signal,
      })
      if (reserved.status === "limit") return reserved.message

      const asked = { instructions: "Be exact.", tools: [bash], messages, signal }
      const parts = { model, budget, recorder, now: () => performance.now() }
      const end = await paidRequest(parts, reserved, asked)
      if (end.status === "limit") return end.reached.message
      if (end.status === "answered") messages.push(end.reply.message)
      messages.push({ role: "user", content: [{ type: "text", text: "Go on." }] })
    }
  }
})

const recorder: Recorder = { record: () => {}, recordAll: () => {}, pass: () => {} }
