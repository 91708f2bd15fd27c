import { expect, test } from "vitest"
import { startKernel } from "../../support/kernel.ts"
import { calls, says } from "../../support/script.ts"

test("a face learns what is open and what runs in it, and finds files by letters of their path", async () => {
  const kernel = startKernel(
    [
      calls(1, ["serve", { command: "echo up; sleep 300", ready: "up" }]),
      says("It is up."),
      calls(3, ["end", {}]),
      says("Ended."),
    ],
    { files: { ".gitignore": "*.log\n", "src/open.ts": "", "open.log": "" } },
  )
  const conversation = await kernel.open()
  const environments = () => kernel.kernel.dispatch({ type: "environments", conversation })
  await kernel.send(conversation, "Start it")

  expect(await environments()).toEqual({
    type: "environments",
    environments: [
      {
        kind: "desk",
        folder: kernel.root,
        processes: [
          {
            id: expect.any(String),
            command: "echo up; sleep 300",
            started_at: expect.stringMatching(/^2025-11-24T/),
            ready: null,
          },
        ],
      },
    ],
  })
  expect(
    await kernel.kernel.dispatch({ type: "paths", conversation, letters: "open", limit: 5 }),
  ).toEqual({ type: "paths", paths: ["src/open.ts"] })

  await kernel.send(conversation, "End it")
  expect(await environments()).toMatchObject({ environments: [{ kind: "desk", processes: [] }] })
})
