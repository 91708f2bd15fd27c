import { expect, test } from "vitest"
import { ask } from "../../../tests/support/wire/conversation.ts"
import { pictures } from "../../../tests/support/wire/pictures.ts"
import { openProvider } from "./open-provider.ts"

const { messages, image, base64, note } = pictures

const sent = (shown: object, output: unknown) => [
  { role: "developer", content: "Be exact." },
  { role: "user", content: [{ type: "input_text", text: "Go." }, shown] },
  { type: "function_call", call_id: "c1", name: "bash", arguments: '{"command":"a"}' },
  { type: "function_call_output", call_id: "c1", output },
]

test("images are sent as data URLs: the user's in the message, an action's inside its result", async () => {
  const { asked, server } = await openProvider([{ text: "Seen." }])

  await ask(asked, messages, { image })

  const shown = { type: "input_image", image_url: `data:image/png;base64,${base64}` }
  expect(server.requests[0]?.body).toMatchObject({
    input: sent(shown, [{ type: "input_text", text: "A" }, shown]),
  })
})

test("a model that takes no images is told of each in words", async () => {
  const { asked, server } = await openProvider([{ text: "I see none." }])

  await ask(asked, messages)

  expect(server.requests[0]?.body).toMatchObject({
    input: sent({ type: "input_text", text: note }, `A\n${note}`),
  })
})
