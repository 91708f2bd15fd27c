// Pictures from the disk to the wire: with the task and by an action, decoded in the sandbox of the
// machine, and told in words to a model that takes none.
import { writeFile } from "node:fs/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { picture } from "../../packages/worker/test/images/support.ts"
import { runCli } from "../support/run-cli.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { type Job, startJob } from "./support/job.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const [shot, photo] = await Promise.all([
  picture(60, 40).png().toBuffer(),
  picture(1_800, 900).jpeg().toBuffer(),
])

/** A job with two pictures in its project, whose model reads the photo. */
async function lookingJob(config: object): Promise<Job> {
  const job = await startJob({
    home: await homes.fresh(),
    script: [
      { calls: [{ id: "c1", tool: "read", arguments: { path: "photo.jpg" } }] },
      { text: "A gradient." },
    ],
  })
  await writeFile(job.home.at("config.jsonc"), JSON.stringify(config))
  await writeFile(job.project.at("shot.png"), shot)
  await writeFile(job.project.at("photo.jpg"), photo)
  return job
}

/** The messages of the last request, behind the instructions. */
function lastMessages({ server }: Job) {
  return server.requests.at(-1)?.body.messages.slice(1)
}

test("a picture of the task and one that an action read arrive as pixels, and stay on record", async () => {
  const job = await lookingJob({ models: { "openai-compatible/scripted": { images: true } } })

  const { exitCode, stdout } = await job.run("--image", job.project.at("shot.png"))
  const audit = await runCli(["audit", "last"], { env: { HARNESS_HOME: job.home.path } })

  expect({ exitCode, audit: audit.exitCode }).toEqual({ exitCode: 0, audit: 0 })
  expect(stdout).toContain("A gradient.")
  const [asked, , result, after] = lastMessages(job) ?? []
  expect(asked?.content).toEqual([
    { type: "text", text: "Do it." },
    { type: "image_url", image_url: { url: `data:image/png;base64,${shot.toString("base64")}` } },
  ])
  expect(result?.content).toBe(
    "[photo.jpg: image/jpeg 1800x900, scaled to 1568x784]\n[image 1 is shown below]",
  )
  expect(after?.content).toEqual([
    { type: "text", text: "[image 1]" },
    {
      type: "image_url",
      image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,\/9j\/.{1000}/) },
    },
  ])
})

test("a model that nobody says takes pictures is told of them in words, and a person is told once", async () => {
  const job = await lookingJob({})

  const { exitCode, stdout } = await job.run("--image", job.project.at("shot.png"))

  expect(exitCode).toBe(0)
  expect(stdout.split("is not known to take images")).toHaveLength(2)
  const [asked, , result] = lastMessages(job) ?? []
  expect(asked?.content).toEqual([
    { type: "text", text: "Do it." },
    { type: "text", text: "[an image (image/png, 60x40) that this model cannot see]" },
  ])
  expect(result?.content).toBe(
    "[photo.jpg: image/jpeg 1800x900, scaled to 1568x784]\n[an image (image/jpeg, 1568x784) that this model cannot see]",
  )
})

test.each([
  ["nowhere.png", "is not there"],
  ["a.txt", "is not a PNG, JPEG, GIF or WebP image"],
  [".", "is not a file"],
])("--image %s ends with one line before anything is started", async (path, reason) => {
  const job = await lookingJob({})

  const { exitCode, stdout, stderr } = await job.run("--image", job.project.at(path))

  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
  expect(stderr).toContain(`error image_unusable: The image ${job.project.at(path)} ${reason}.\n`)
  expect(job.server.requests).toEqual([])
  expect(await job.home.files()).not.toHaveProperty("projects")
})
