// A command leaves in the project what it wrote, and nothing else: not while it runs, not when all is killed.
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readdirSync } from "node:fs"
import { afterAll, expect, onTestFinished, test, vi } from "vitest"
import { openDescriptors } from "../../packages/sandbox/src/index.ts"
import { processesWith } from "../e2e/support/processes.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { makeIdentities } from "./support/identities.ts"
import { makeSandboxes, variablesOf } from "./support/run.ts"
import { makeWorld, type World } from "./support/world.ts"

const identities = makeIdentities()
const everybody = identities.map(identity => ({ identity, who: identity.name }))
const sandboxes = makeSandboxes()

afterAll(() => {
  for (const each of [...identities, sandboxes]) each.remove()
})

test.for(everybody)(
  "as $who, git sees a clean project before, during and after a command",
  async ({ identity }) => {
    const world = worldOf(identity)
    const before = seen(world)
    const child = started(world, "echo started; sleep 1; exit 3")
    if (child.stdout) await once(child.stdout, "data")

    const during = seen(world)
    await once(child, "exit")

    expect(before.status).toBe("")
    expect({ during, after: seen(world) }).toEqual({ during: before, after: before })
  },
)

test.for(everybody)(
  "as $who, a sandbox that is killed takes all its processes along and leaves nothing",
  async ({ identity }) => {
    const world = worldOf(identity)
    const before = seen(world)
    const child = started(
      world,
      "setsid sleep 88.8 & (nohup sleep 88.9 > /dev/null 2>&1 &); echo started; sleep 88.7",
    )
    if (child.stdout) await once(child.stdout, "data")

    child.kill("SIGKILL")
    await once(child, "exit")

    await expect.poll(() => processesWith("sleep\u000088."), { timeout: 10_000 }).toEqual([])
    expect(seen(world)).toEqual(before)
  },
)

test("a probe leaves nothing in the system's temporary folder, and works again", async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  vi.stubEnv("TMPDIR", folder.path)
  onTestFinished(() => void vi.unstubAllEnvs())

  const probes = [await sandboxes.provider.probe(), await sandboxes.provider.probe()]

  const works = {
    status: "works",
    mechanism: "bubblewrap",
    version: expect.stringMatching(/^\d/),
  }
  expect(probes).toEqual([works, works])
  expect(readdirSync(folder.path)).toEqual([])
})

/** What git tells of the project, and all that lies in it, `.git` included. */
function seen({ root }: World) {
  const options = { encoding: "utf8", env: { PATH: process.env.PATH } } as const
  const git = ["-c", `safe.directory=${root}`, "-C", root, "--no-optional-locks"]
  return {
    status: execFileSync("git", [...git, "status", "--porcelain"], options),
    files: execFileSync("find", [root, "-printf", "%P %y %m %s %T@\\n"], options),
  }
}

function started(world: World, script: string): ChildProcess {
  const policy = { ...world.policy, env: variablesOf(world) }
  const wrapped = sandboxes.provider.wrap(["sh", "-c", script], policy)
  const opened = [...openDescriptors(wrapped, sandboxes.folder), openSync("/dev/null", "w")]
  const [program = "", ...args] = wrapped.argv
  const child = spawn(program, args, {
    ...{ cwd: "/", env: {}, stdio: ["ignore", "pipe", "inherit", ...opened] },
    ...world.identity.ids,
  })
  for (const descriptor of opened) closeSync(descriptor)
  return child
}

function worldOf(identity: World["identity"]): World {
  const world = makeWorld(identity, "a project in the home folder")
  onTestFinished(() => world.remove())
  return world
}
