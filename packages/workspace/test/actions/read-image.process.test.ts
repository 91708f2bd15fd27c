import { expect, test } from "vitest"
import { picture } from "../../../worker/test/images/support.ts"
import { readTool } from "../../src/tools/read.ts"
import { knowing } from "../support/known.ts"
import { openProject } from "../support/project.ts"

test("a picture is shown, and its result says what it is", async () => {
  const bytes = await picture(60, 40).png().toBuffer()
  const project = await openProject({ "shot.png": bytes })

  expect(await project.run("read_image", { path: "./shot.png" })).toEqual({
    path: "shot.png",
    media_type: "image/png",
    width: 60,
    height: 40,
    bytes: bytes.length,
    shown: true,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

test("of one that is too large the result has the file's own size, and what is shown of it", async () => {
  const project = await openProject({ "big.jpg": await picture(400, 200).jpeg().toBuffer() })

  expect(await project.run("read_image", { path: "big.jpg" })).toMatchObject({
    media_type: "image/jpeg",
    width: 400,
    height: 200,
    scaled: { media_type: "image/jpeg", width: 100, height: 50 },
  })
})

test.each([
  ["notes.txt", "not_an_image"],
  ["half.png", "image_damaged"],
  ["missing.png", "not_found"],
  [".", "not_a_file"],
  ["../out.png", "outside_root"],
  [".env", "secret_file"],
])("%s is refused with %s, and with what can be done", async (path, error) => {
  const whole = await picture(60, 40).png().toBuffer()
  const project = await openProject({
    "notes.txt": "words",
    ".env": "KEY=1",
    "half.png": whole.subarray(0, 60),
  })

  expect(await project.run("read_image", { path })).toMatchObject({
    error,
    message: expect.stringMatching(/\. \w.*\.$/),
  })
})

test("the tool read shows a file with a picture's name, and says in a line what it is", async () => {
  const project = await openProject({ "Shot.PNG": await picture(400, 200).png().toBuffer() })
  const planned = readTool.plan({ path: "Shot.PNG" }, knowing({}))
  if ("refused" in planned) throw new Error("read is never refused")

  const result = await project.run(planned.action, planned.input)

  expect(planned).toEqual({ action: "read_image", input: { path: "Shot.PNG" } })
  expect(readTool.present({ path: "Shot.PNG" }, result)).toBe(
    "[Shot.PNG: image/png 400x200, scaled to 100x50]",
  )
})
