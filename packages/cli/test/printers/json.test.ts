import { ConversationEvent } from "@harness/protocol"
import { expect, test } from "vitest"
import { jsonPrinter } from "../../src/printers/json.ts"
import { capture } from "../support/capture.ts"
import { fixedByProgram } from "../support/fixed-by-program.ts"
import { recorded } from "../support/recorded.ts"
import { answered } from "../support/turns.ts"

test("every event is one line of JSON and there is nothing else", async () => {
  const output = capture()
  const printer = jsonPrinter(output)
  const events = recorded(fixedByProgram)
  for (const event of events) printer.event(event)
  await printer.ended(answered, "0123456789ab", async () => null)

  const lines = output.text().trimEnd().split("\n")
  expect(lines.map(line => ConversationEvent.parse(JSON.parse(line)))).toEqual(events)
})

test("what may show a secret is not among them", () => {
  const output = capture()
  const preview = { format: "diff" as const, text: "+TOKEN=1" }
  jsonPrinter(output).event({ type: "request_preview", after: 1, request: "r1", preview })
  expect(output.text()).toBe("")
})
