import { expect, test } from "vitest"
import { ask } from "../../../tests/support/wire/conversation.ts"
import { pictures } from "../../../tests/support/wire/pictures.ts"
import { openProvider } from "./open-provider.ts"

const { messages, image, base64, note } = pictures
const inlineData = { mimeType: "image/png", data: base64 }

const sent = (shown: object, results: object[]) => [
  { role: "user", parts: [{ text: "Go." }, shown] },
  { role: "model", parts: [{ functionCall: { name: "bash", args: { command: "a" } } }] },
  { role: "user", parts: results },
]
const response = (content: string) => ({ name: "bash", response: { name: "bash", content } })

test("images are sent inline: the user's in the message, an action's as a part of its response", async () => {
  const { asked, server } = await openProvider([{ text: "Seen." }])

  await ask(asked, messages, { image })

  expect(server.requests[0]?.body).toMatchObject({
    contents: sent({ inlineData }, [
      { functionResponse: { ...response("A"), parts: [{ inlineData }] } },
    ]),
  })
})

test("a model before Gemini 3 gets an action's images beside the response, which has text alone", async () => {
  const { asked, server } = await openProvider([{ text: "Seen." }], {}, "gemini-2.5-pro")

  await ask(asked, messages, { image })

  expect(server.requests[0]?.body).toMatchObject({
    contents: sent({ inlineData }, [
      { functionResponse: response("A") },
      { inlineData },
      { text: "Tool executed successfully and returned this image as a response" },
    ]),
  })
})

test("a model that takes no images is told of each in words", async () => {
  const { asked, server } = await openProvider([{ text: "I see none." }])

  await ask(asked, messages)

  expect(server.requests[0]?.body).toMatchObject({
    contents: sent({ text: note }, [{ functionResponse: response(`A\n${note}`) }]),
  })
})
