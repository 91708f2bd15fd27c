import { expect, test } from "vitest"
import { ask } from "../../../tests/support/wire/conversation.ts"
import { pictures } from "../../../tests/support/wire/pictures.ts"
import { openProvider } from "./open-provider.ts"

const { messages, image, base64, note } = pictures
const marked = { cache_control: { type: "ephemeral" } }

const sent = (shown: (marks: object) => object, result: unknown) => [
  { role: "user", content: [{ type: "text", text: "Go." }, shown(marked)] },
  {
    role: "assistant",
    content: [{ type: "tool_use", id: "c1", name: "bash", input: { command: "a" } }],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c1", content: result, ...marked }],
  },
]

test("images are sent as base64: the user's in the message, an action's inside its result", async () => {
  const { asked, server } = await openProvider([{ text: "Seen." }])

  await ask(asked, messages, { image })

  const source = { type: "base64", media_type: "image/png", data: base64 }
  expect(server.requests[0]?.body).toMatchObject({
    messages: sent(
      marks => ({ type: "image", source, ...marks }),
      [
        { type: "text", text: "A" },
        { type: "image", source },
      ],
    ),
  })
})

test("a model that takes no images is told of each in words", async () => {
  const { asked, server } = await openProvider([{ text: "I see none." }])

  await ask(asked, messages)

  expect(server.requests[0]?.body).toMatchObject({
    messages: sent(marks => ({ type: "text", text: note, ...marks }), `A\n${note}`),
  })
})
