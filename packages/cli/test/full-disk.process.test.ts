import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { smallDisk } from "../../../tests/support/small-disk.ts"
import { harness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkWorkspace } from "./support/linked-home.ts"

const script = [
  { calls: [{ tool: "read", arguments: { path: "a.txt" } }] },
  { calls: [{ tool: "bash", arguments: { command: "head -c 9000000 /dev/zero" } }] },
  { calls: [{ tool: "write", arguments: { path: "b.txt", text: "b".repeat(20_000) } }] },
  { text: "Done." },
]
const config = '{ "limits": { "max_steps": 80 } } // mine\n'

/** A HARNESS_HOME of 40 MB with a conversation that went well. */
async function smallHome() {
  const disk = await smallDisk({ megabytes: 40 })
  onTestFinished(() => disk.remove())
  const home = disk.path
  await linkWorkspace(home)
  await writeFile(join(home, "config.jsonc"), config)
  const { run } = await job(home, { script })
  const { exitCode, stdout } = await run()
  expect(exitCode).toBe(0)
  const earlier = /conversation ([0-9a-f]{12})/.exec(stdout)?.[1] ?? ""
  return { ...disk, home, earlier, runAgain: run }
}

const on = (home: string, ...args: string[]) => harness(args, { home })

test.each([
  ["fills up while a command runs", 4_000_000],
  ["has room for a few records", 60_000],
])(
  "a run whose disk %s ends at its limit, and all that was there is intact",
  async (_what, free) => {
    const { home, earlier, fill, free: makeRoom } = await smallHome()
    fill(free)
    const { run, project } = await job(home, { script })
    const { exitCode, stdout, stderr } = await run()
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringMatching(
        /^limit reached \(disk\): The log .*\/log\.jsonl cannot be written: the disk is full\. Spent: .* To go on, make room, then: /,
      ),
    })
    expect(await project.files()).toEqual({ "a.txt": "one\n" })
    expect(await readFile(join(home, "config.jsonc"), "utf8")).toBe(config)
    expect(await on(home, "audit", earlier)).toMatchObject({ exitCode: 0 })

    await makeRoom()
    const cut = /conversation ([0-9a-f]{12})/.exec(stdout)?.[1] ?? ""
    expect((await on(home, "audit", cut)).stdout).toContain("chained, to the stored head")
    await on(home, "gc")
    expect(await on(home, "audit", cut)).toMatchObject({ exitCode: 0 })
    const { run: again } = await job(home, { script })
    expect(await again()).toMatchObject({ exitCode: 0 })
  },
)

test("a run that finds the disk full does not begin and says so", async () => {
  const { home, earlier, runAgain, fill } = await smallHome()
  fill(0)
  const { run } = await job(home, { script })
  expect(await run()).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(/^error disk_full: HARNESS_HOME .* has no room left/),
  })
  expect(await runAgain("--resume", earlier)).toMatchObject({
    exitCode: 3,
    stdout: "",
    stderr: expect.stringMatching(/^error (disk_full|log_unwritable): .*\nnext: .*\n$/),
  })
  expect(await on(home, "audit", earlier)).toMatchObject({ exitCode: 0 })
})
