import { createHash, randomBytes } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "@harness/protocol"
import { imageSubject, signTicket, ticketKey } from "@harness/protocol/ticket"
import { expect, onTestFinished, test } from "vitest"
import { openWorker, type TestWorker } from "../support/worker.ts"
import { picture } from "./support.ts"

const images = {
  media_types: ["image/png", "image/jpeg"],
  longest_side_pixels: 100,
  limit_bytes: 100_000,
  most: 2,
  seen: true,
}

async function workerWith(files: Record<string, Buffer>): Promise<TestWorker> {
  const worker = await openWorker()
  onTestFinished(() => worker.dispose())
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(worker.root, name), bytes)
  return worker
}

const small = await picture(60, 40).png().toBuffer()
const large = await picture(400, 200).png().toBuffer()

test("images of an action are scaled, kept under its grant, linked, and told beside its result", async () => {
  const worker = await workerWith({ "large.png": large, text: Buffer.from("text") })

  const paths = ["large.png", "text", "large.png", "large.png"]
  const ended = await worker.run("show", { paths }, { images })

  const { taken } = ended.result
  expect(taken).toMatchObject([
    { status: "taken", image: { width: 100, height: 50 }, source: { width: 400, height: 200 } },
    { status: "refused", error: "not_an_image" },
    { status: "taken" },
    { status: "refused", error: "too_many_images" },
  ])
  const [image] = ended.images ?? []
  const { evidence: sha256 = "", bytes = 0 } = image ?? {}
  expect(ended.images).toEqual([image, image])
  expect(ended.evidence).toEqual(Array(2).fill({ role: "image", sha256, bytes }))
  expect(ended.evidence_bytes).toBe(bytes)
  expect(readFileSync(join(worker.artifacts, "evidence", sha256.slice(0, 2), sha256))).toHaveLength(
    bytes,
  )
})

test("an image that the grant has no room for is refused, and nothing is left of it", async () => {
  const worker = await workerWith({ "small.png": small })

  const ended = await worker.run("show", { paths: ["small.png"] }, { images, grant_bytes: 10 })

  expect(ended.result).toMatchObject({ taken: [{ error: "evidence_exhausted" }] })
  expect({ images: ended.images, evidence: ended.evidence }).toEqual({
    images: undefined,
    evidence: [],
  })
})

test("an action that did not declare to show images may not, whatever the frame says", async () => {
  const worker = await workerWith({})

  const ended = await worker.run("undeclared_show", {}, { images })

  expect(ended.result).toEqual({
    error: "failed",
    message: "an action that shows images must declare it",
  })
})

test("an image of the user is given back as the model is sent it, and is not kept by the worker", async () => {
  const worker = await workerWith({})

  const reply = await sent(worker, large)

  expect(reply).toMatchObject({
    type: "image_taken",
    taken: { status: "taken", image: { media_type: "image/png", width: 100, height: 50 } },
    bytes: expect.any(Uint8Array),
  })
  expect(existsSync(join(worker.artifacts, "evidence"))).toBe(false)
})

test("without the scheduler's ticket for just these bytes no image is looked at", async () => {
  const worker = await workerWith({})
  const { key } = worker.hello

  const replies = [
    await sent(worker, small, { signedWith: randomBytes(32).toString("hex") }),
    await sent(worker, small, { signedWith: key, signed: large }),
    await sent(worker, small, { signedWith: key, signed: large, named: small }),
  ]

  expect(replies.map(reply => ("failure" in reply ? reply.failure.message : reply))).toEqual([
    "The worker refused image: its ticket is not the scheduler's.",
    "The worker refused image: its ticket is for another image.",
    "The worker refused image: its ticket is not the scheduler's.",
  ])
})

let next = 1_000

/** Sends a frame with an image; `signed` is what the ticket is for, `named` whose hash it carries. */
async function sent(
  worker: TestWorker,
  bytes: Buffer,
  {
    signedWith = worker.hello.key,
    signed = bytes,
    named = signed,
  }: { signedWith?: JsonObject[string] | undefined; signed?: Buffer; named?: Buffer } = {},
) {
  const id = next++
  const actionId = `image-${id}`
  const subject = { type: "image" as const, actionId, ...imageSubject(hashOf(signed)) }
  const mac = signTicket(ticketKey(String(signedWith)), subject)
  const ticket = { action_id: actionId, mac }
  worker.child.send({ type: "image", id, ticket, sha256: hashOf(named), bytes, images })
  return worker.reply(reply => "id" in reply && reply.id === id)
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex")
}
