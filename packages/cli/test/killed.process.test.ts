import { afterAll, beforeAll, expect, test } from "vitest"
import type { TemporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { harness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

const on = (...args: string[]) => harness(args, { home: home.path })

const script = [
  { calls: [{ tool: "read", arguments: { path: "a.txt" } }] },
  { calls: [{ tool: "edit", arguments: { path: "a.txt", old_text: "one", new_text: "two" } }] },
  { calls: [{ tool: "bash", arguments: { command: "echo begun; sleep 300" } }] },
]

test("after kill -9 the audit says what is proved, undo works, gc takes the rest, and then all holds", async () => {
  const { project, start } = await job(home.path, { script })
  const running = start(["--json"])
  await running.said("begun")
  running.child.kill("SIGKILL")
  await running.ended

  const audit = await on("audit", "last", "--json")
  expect(JSON.parse(audit.stdout)).toMatchObject({
    log: { state: "unclosed", stored_seq: 0 },
    intact: { payloads: 2 },
  })
  expect((await on("diff", "last")).stdout).toContain("-one\n+two\n")

  expect(await on("undo", "last", "--yes")).toMatchObject({ exitCode: 0 })
  expect(await project.files()).toEqual({ "a.txt": "one\n" })
  // The worker writes the end of its processes when it finds the controller gone.
  await expect.poll(async () => (await on("gc")).stdout, { timeout: 20_000 }).toContain("freed")
  expect(await on("audit", "last")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("chained, to the stored head"),
  })
})
