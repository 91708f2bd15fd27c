import { expect, test } from "vitest"
import { pictures } from "../../../tests/support/wire/pictures.ts"
import { ask, openProvider } from "./open-provider.ts"

const { messages, image, base64, note } = pictures

const sent = (shown: object, ...results: object[]) => [
  { role: "system", content: "Be exact." },
  { role: "user", content: [{ type: "text", text: "Go." }, shown] },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"a"}' } },
    ],
  },
  ...results,
]

test("an action's images come in a message after the results, which servers take as text alone", async () => {
  const { provider, server } = await openProvider([{ text: "Seen." }])

  await ask(provider, messages, { image })

  const shown = { type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } }
  expect(server.requests[0]?.body).toMatchObject({
    messages: sent(
      shown,
      { role: "tool", tool_call_id: "c1", content: "A\n[image 1 is shown below]" },
      { role: "user", content: [{ type: "text", text: "[image 1]" }, shown] },
    ),
  })
})

test("a model that takes no images is told of each in words", async () => {
  const { provider, server } = await openProvider([{ text: "I see none." }])

  await ask(provider, messages)

  expect(server.requests[0]?.body).toMatchObject({
    messages: sent(
      { type: "text", text: note },
      { role: "tool", tool_call_id: "c1", content: `A\n${note}` },
    ),
  })
})
