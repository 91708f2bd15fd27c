import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AnswerTo, ImagePart } from "@harness/protocol"
import { expect, test } from "vitest"
import { picture } from "../../../worker/test/images/support.ts"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, type Script, says } from "../support/script.ts"

const small = await picture(60, 40).png().toBuffer()
const large = await picture(2_000, 1_000).jpeg().toBuffer()

type Options = { seen?: boolean; limits?: object }

/** A kernel with two pictures in its project; `seen`: its model takes images. */
function kernelWith(replies: Script["replies"], { seen = true, limits = {} }: Options = {}) {
  const kernel = startKernel(replies)
  const model = `scripted/${join(dirname(kernel.root), "script.json")}`
  const config = { limits, ...(seen && { models: { [model]: { images: true } } }) }
  writeFileSync(join(kernel.home, "config.jsonc"), JSON.stringify(config))
  writeFileSync(join(kernel.root, "small.png"), small)
  writeFileSync(join(kernel.root, "large.jpg"), large)
  return kernel
}

async function send(
  { kernel }: TestKernel,
  conversation: string,
  ...images: [name: string, bytes: Buffer][]
): Promise<AnswerTo<"send">> {
  return kernel.dispatch({
    type: "send",
    conversation,
    text: "Look.",
    images: images.map(([name, bytes]) => ({ name, base64: bytes.toString("base64") })),
  })
}

function userImages({ events }: TestKernel): ImagePart[] {
  const messages = ofType(events, "user_message").map(({ message }) => message)
  return messages.flatMap(({ content }) => content.filter(part => part.type === "image"))
}

function notices({ events }: TestKernel): string[] {
  return ofType(events, "notice").map(({ code }) => code)
}

/** What is kept under a hash. */
function kept({ home }: TestKernel, { evidence }: ImagePart): Buffer | undefined {
  const projects = join(home, "projects")
  const path = readdirSync(projects, { recursive: true, encoding: "utf8" }).find(each =>
    each.endsWith(evidence),
  )
  return path === undefined ? undefined : readFileSync(join(projects, path))
}

test("images of a message are kept as they are sent, named by their hash, and relate to no action", async () => {
  const kernel = kernelWith([says("Seen.")])
  const conversation = await kernel.open()

  const answer = await send(kernel, conversation, ["small.png", small], ["large.jpg", large])
  await kernel.kernel.dispatch({ type: "close", conversation })

  const [first, second] = userImages(kernel)
  expect(answer).toMatchObject({ type: "send", ending: { status: "answered" } })
  expect(first).toMatchObject({ media_type: "image/png", width: 60, height: 40 })
  expect(second).toMatchObject({ media_type: "image/jpeg", width: 1_568, height: 784 })
  expect(first && kept(kernel, first)?.equals(small)).toBe(true)
  expect(second && kept(kernel, second)?.length).toBe(second?.bytes)
  expect(ofType(kernel.events, "notice").map(({ message }) => message)).toEqual([
    `The model is sent large.jpg as image/jpeg, 1568x784, ${second?.bytes} bytes; it is image/jpeg, 2000x1000, ${large.length} bytes.`,
  ])
  const audit = await kernel.kernel.dispatch({ type: "audit", conversation })
  expect(audit).toMatchObject({ report: { holds: true, intact: { payloads: 2 } } })
  expect(JSON.stringify(kernel.log())).not.toContain(small.toString("base64").slice(0, 40))
})

test("an action's image comes with its result, is its evidence, and an audit and gc leave it", async () => {
  const kernel = kernelWith([calls(1, ["show", { path: "large.jpg" }]), says("Seen.")])
  const conversation = await kernel.open()

  await send(kernel, conversation)
  await kernel.kernel.dispatch({ type: "close", conversation })
  const collected = await kernel.kernel.dispatch({ type: "gc", dry_run: false })

  const [result] = ofType(kernel.events, "results").flatMap(({ message }) => message.content)
  const [image] = result?.images ?? []
  const [ended] = ofType(kernel.events, "action_ended")
  expect(result).toMatchObject({ text: '{"width":1568,"height":784,"seen":true}', status: "ok" })
  expect(ended?.receipt.evidence).toEqual([
    { role: "image", sha256: image?.evidence, bytes: image?.bytes },
  ])
  expect(collected).toMatchObject({ files: 0 })
  const audit = await kernel.kernel.dispatch({ type: "audit", conversation })
  expect(audit).toMatchObject({ report: { holds: true, intact: { payloads: 1 } } })
})

test("a program's images come with its result, as many as a result may show", async () => {
  const show = 'call show {"path": "small.png"}'
  const source = [show, show, show].join("\n")
  const replies = [calls(1, ["run_program", { language: "lines", source }]), says("Seen.")]
  const kernel = kernelWith(replies, { limits: { images_shown: 2 } })

  await send(kernel, await kernel.open({ style: "programs" }))

  const [result] = ofType(kernel.events, "results").flatMap(({ message }) => message.content)
  expect(result?.images).toHaveLength(2)
  expect(result?.actions?.map(({ status }) => status)).toEqual(["ok", "ok", "too_many_images"])
})

test("a model that takes no images is no failure: a person is told once, and the images are kept", async () => {
  const kernel = kernelWith([calls(1, ["show", { path: "small.png" }]), says("None.")], {
    seen: false,
  })
  const conversation = await kernel.open()

  const answer = await send(kernel, conversation, ["small.png", small])

  const [result] = ofType(kernel.events, "results").flatMap(({ message }) => message.content)
  expect(answer).toMatchObject({ type: "send", ending: { status: "answered" } })
  expect(notices(kernel)).toEqual(["images_unseen"])
  expect(result).toMatchObject({ text: '{"width":60,"height":40,"seen":false}' })
  expect([...userImages(kernel), ...(result?.images ?? [])]).toHaveLength(2)
})

test.each([
  ["half of one", small.subarray(0, 80), "half cannot be decoded"],
  ["a text", Buffer.from("text"), "half is not a PNG, JPEG, GIF or WebP image"],
])("with %s no turn is begun and nothing is kept of the whole ones", async (_what, bytes, said) => {
  const kernel = kernelWith([says("Seen.")])
  const conversation = await kernel.open()

  const answer = await send(kernel, conversation, ["small.png", small], ["half", bytes])

  expect(answer).toMatchObject({
    type: "failed",
    failure: { code: "image_unusable", message: expect.stringContaining(said), exit: 2 },
  })
  expect(ofType(kernel.events, "turn_started")).toEqual([])
  expect(existsSync(join(kernel.home, "projects"))).toBe(true)
  expect(readdirSync(join(kernel.home, "projects"), { recursive: true }).join()).not.toContain(
    "evidence",
  )
  expect(await send(kernel, conversation)).toMatchObject({ ending: { status: "answered" } })
})

test("images count against the evidence that a conversation may keep", async () => {
  const limits = { evidence_bytes: small.length + 10 }
  const kernel = kernelWith([calls(1, ["show", { path: "large.jpg" }]), says("No.")], { limits })
  const conversation = await kernel.open()

  await send(kernel, conversation, ["small.png", small])
  const again = await send(kernel, conversation, ["small.png", small])

  const [ended] = ofType(kernel.events, "action_ended")
  expect(ended?.result).toMatchObject({ error: "evidence_exhausted" })
  expect(again).toMatchObject({ type: "failed", failure: { code: "evidence_exhausted" } })
})

test("one image more than a message takes is refused before anything is looked at", async () => {
  const kernel = kernelWith([says("Seen.")], { limits: { images_shown: 1 } })

  const answer = await send(kernel, await kernel.open(), ["a.png", small], ["b.png", small])

  expect(answer).toMatchObject({
    failure: { message: "The image b.png is one too many: a message takes at most 1." },
  })
})

test("a conversation goes on with a model that sees none of its images, and a person is told so", async () => {
  const kernel = kernelWith([says("Seen.")])
  const conversation = await kernel.open()
  await send(kernel, conversation, ["small.png", small])

  writeFileSync(join(kernel.home, "config.jsonc"), "{}")
  const again = await kernel.resume(conversation, [says("I see none.")])
  const answer = await send(kernel, again)

  expect(answer).toMatchObject({ ending: { status: "answered" }, answer: "I see none." })
  expect(notices(kernel)).toEqual(["images_unseen"])
})

test("a redacted image is gone for good, and the conversation goes on without it", async () => {
  const kernel = kernelWith([says("Seen."), says("Gone.")])
  const conversation = await kernel.open()
  await send(kernel, conversation, ["small.png", small])
  await kernel.kernel.dispatch({ type: "close", conversation })
  const [image] = userImages(kernel)

  const redacted = await kernel.kernel.dispatch({
    type: "redact",
    conversation,
    evidence: image?.evidence.slice(0, 12) ?? "",
  })
  const again = await kernel.open({ resume: conversation })
  const answer = await send(kernel, again)

  expect(redacted).toMatchObject({ type: "redact", changed: true })
  expect(image && kept(kernel, image)).toBe(undefined)
  expect(answer).toMatchObject({ ending: { status: "answered" } })
  await kernel.kernel.dispatch({ type: "close", conversation: again })
  const audit = await kernel.kernel.dispatch({ type: "audit", conversation })
  expect(audit).toMatchObject({ report: { holds: true } })
})

test("an interrupt ends what is being decoded, and the message says that its images are not there", async () => {
  const kernel = kernelWith([says("Never asked.")])
  const conversation = await kernel.open()
  const slow = await picture(3_000, 3_000).png({ progressive: true }).toBuffer()

  const sending = send(kernel, conversation, ["a.png", slow], ["b.png", slow])
  await kernel.kernel.dispatch({ type: "interrupt", conversation, reason: "SIGINT" })

  expect(await sending).toMatchObject({ ending: { status: "interrupted" } })
  const [message] = ofType(kernel.events, "user_message")
  expect(message?.message.content.slice(-1)).toEqual([
    {
      type: "text",
      text: "[The images of this message are not here: it was interrupted while they were read.]",
    },
  ])
})
