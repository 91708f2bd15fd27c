import type { ImagePart, Message } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { imagesShown } from "../src/images.ts"
import { promptConverter } from "../src/prompt.ts"

const picture = (digit: string, bytes = 4_000): ImagePart => ({
  type: "image",
  evidence: digit.repeat(64),
  media_type: "image/png",
  width: 800,
  height: 600,
  bytes,
})
const [shot, chart, gone] = [picture("1"), picture("2"), picture("3")]

const kept = new Map([
  [shot.evidence, Buffer.from("shot")],
  [chart.evidence, Buffer.from("chart")],
])
const image = async (evidence: string) => kept.get(evidence) ?? null

const file = (text: string) => ({
  type: "file",
  mediaType: "image/png",
  data: { type: "data", data: Buffer.from(text).toString("base64") },
})
const note = (why: string) => `[an image (image/png, 800x600) that ${why}]`

const asked: Message = {
  role: "user",
  content: [{ type: "text", text: "Look." }, shot, gone],
}
const results: Message = {
  role: "tool",
  content: [
    { type: "result", call_id: "a", tool: "read", status: "ok", text: "A", images: [chart, gone] },
    { type: "result", call_id: "b", tool: "run", status: "error", text: "B", images: [shot] },
    { type: "result", call_id: "c", tool: "run", status: "ok", text: "C" },
  ],
}

test("images are shown where they stand, and what is not kept any more is said to be gone", async () => {
  const prompt = await promptConverter("vendor")({
    instructions: "Be exact.",
    messages: [asked, results],
    image,
  })

  const result = (toolCallId: string, toolName: string, output: object) => ({
    type: "tool-result",
    ...{ toolCallId, toolName, output },
  })
  expect(prompt.slice(1)).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        file("shot"),
        { type: "text", text: note("is not kept any more") },
      ],
    },
    {
      role: "tool",
      content: [
        result("a", "read", {
          type: "content",
          value: [{ type: "text", text: `A\n${note("is not kept any more")}` }, file("chart")],
        }),
        result("b", "run", { type: "content", value: [{ type: "text", text: "B" }, file("shot")] }),
        result("c", "run", { type: "text", value: "C" }),
      ],
    },
  ])
})

test("where a result is text alone its images come in a message after it, by number", async () => {
  const toPrompt = promptConverter("vendor", { resultImages: "after" })

  const prompt = await toPrompt({ instructions: "", messages: [results], image })

  const outputs = prompt.flatMap(message =>
    message.role === "tool"
      ? message.content.map(part => (part.type === "tool-result" ? part.output : null))
      : [],
  )
  expect(outputs).toEqual([
    { type: "text", value: `A\n${note("is not kept any more")}\n[image 1 is shown below]` },
    { type: "error-text", value: "B\n[image 2 is shown below]" },
    { type: "text", value: "C" },
  ])
  expect(prompt[2]).toEqual({
    role: "user",
    content: [
      { type: "text", text: "[image 1]" },
      file("chart"),
      { type: "text", text: "[image 2]" },
      file("shot"),
    ],
  })
})

test("over 200 steps each image is read and encoded once, and what was sent stays the same objects", async () => {
  let reads = 0
  const reading = async (evidence: string) => {
    reads += 1
    return image(evidence)
  }
  const toPrompt = promptConverter("vendor")
  const messages: Message[] = [asked, results]

  const first = await toPrompt({ instructions: "", messages, image: reading })
  for (let step = 0; step < 200; step++) {
    messages.push({ role: "user", content: [{ type: "text", text: `${step}` }] })
    const prompt = await toPrompt({ instructions: "", messages, image: reading })
    expect(prompt[1] === first[1] && prompt[2] === first[2]).toBe(true)
  }

  expect(reads).toBe(5)
})

test("when a request would hold too many bytes of images, the older half leaves it in one step", async () => {
  const large = Array.from({ length: 20 }, (_, at) => picture(at.toString(16).slice(-1), 1_048_576))
  const messages = large.map((part): Message => ({ role: "user", content: [part] }))
  const toPrompt = promptConverter("vendor")

  const counts: number[] = []
  for (let count = 1; count <= messages.length; count++) {
    const prompt = await toPrompt({
      instructions: "",
      messages: messages.slice(0, count),
      image: async () => Buffer.from("x"),
    })
    const shown = prompt.filter(
      message => message.role === "user" && message.content[0]?.type === "file",
    )
    counts.push(shown.length)
  }

  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 6, 7, 8, 9, 10, 11, 12, 6])
})

test("whatever the sizes: what is shown are the last ones, within the bounds, and seldom fewer than before", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4_000_000 }), { maxLength: 150 })
  fc.assert(
    fc.property(sizes, bytes => {
      const images = bytes.map(size => picture("4", size))
      let before = 0
      for (let count = 1; count <= images.length; count++) {
        const content = images.slice(0, count)
        const shown = [...imagesShown([{ role: "user", content }])]

        expect(shown).toEqual(content.slice(-shown.length))
        expect(shown.length).toBeLessThanOrEqual(50)
        const sum = shown.reduce((all, each) => all + each.bytes, 0)
        expect(sum).toBeLessThanOrEqual(12 * 1_048_576)
        expect(shown.length === before + 1 || sum <= 6 * 1_048_576).toBe(true)
        before = shown.length
      }
    }),
    { numRuns: 30 },
  )
})

test("a model that takes no images is told of each in words, also of those that others were shown", async () => {
  const prompt = await promptConverter("vendor")({ instructions: "", messages: [asked, results] })

  expect(JSON.stringify(prompt)).not.toContain('"file"')
  expect(JSON.stringify(prompt).split(note("this model cannot see"))).toHaveLength(6)
})
