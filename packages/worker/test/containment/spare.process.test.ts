import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type SandboxProvider, sandboxFor } from "@harness/sandbox"
import type { ProcessEnd, ProcessSpec } from "@harness/sdk"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { makePool, sandboxOptions, type TestPool, tagged, until } from "../support/pool.ts"

let folder: string
let provider: SandboxProvider
let pool: TestPool

/** How many commands got a sandbox that waited. */
let used = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-spare-"))
  const real = sandboxFor("os", sandboxOptions(folder))
  const lineFor = (argv: readonly string[]) => {
    used += 1
    return real.lineFor?.(argv)
  }
  provider = { ...real, lineFor }
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(() => {
  used = 0
  pool = makePool({ sandbox: { provider, network: false } })
})

afterEach(async () => {
  await pool.dispose()
})

/** What a command can tell of where it is. */
const shell = [
  "env | sort; id; umask; ulimit -a; pwd; cat /proc/self/mountinfo | cut -d' ' -f4-6",
  "ls /proc/self/fd; readlink /proc/self/fd/0; echo $$ $PPID; ls /proc | grep '^[0-9]'",
  "grep -E 'Cap|Seccomp|NoNew|Sig|NSpgid|NSsid' /proc/self/status; ls -a /tmp /run /dev /dev/shm; cat /proc/net/dev",
].join("\n")

test("a command finds the same in a sandbox that waited for it as in its own", async () => {
  const own = await pool.run({ shell })
  const spare = await inSpare({ shell })

  expect(spare.preview.split("\n")).toEqual(own.preview.split("\n"))
  expect(spare.receipt).toMatchObject({ status: "exited", exit_code: 0 })
})

test("what a command says, its exit code, its signals and its deadline are the same there", async () => {
  const specs: ProcessSpec[] = [
    { shell: "echo out; echo err >&2; exit 7" },
    { shell: "cat; echo 'it'\"'\"'s'; printf '%s|' \"a\nb\" '$HOME' 'Á ÿ \\n'; no-such-command" },
    { shell: "syntax error ( here" },
    { shell: "kill -SEGV $$" },
    { shell: "trap 'echo cleaned; exit 9' TERM; echo begun; sleep 60 & wait", timeoutSeconds: 0.4 },
    { shell: 'echo $0 $# "$@"', shellPath: "/bin/bash" },
  ]
  for (const spec of specs) {
    const fresh = makePool({ sandbox: { provider, network: false } })
    const own = await fresh.run(spec)
    await fresh.dispose()

    const spare = await inSpare(spec)

    expect({ spec, ...told(spare) }).toEqual({ spec, ...told(own) })
  }
})

test("it is used only for a sandbox that would be just the same now", async () => {
  const { root } = pool.folders
  mkdirSync(join(root.path, "inner"))
  mkdirSync(join(root.path, ".vscode"))
  writeFileSync(join(root.path, ".vscode/tasks.json"), "{}")
  const control = "cat .envrc .vscode/tasks.json; echo x > .envrc; echo x > .vscode/tasks.json; pwd"

  const changes: [string, ProcessSpec, () => void][] = [
    ["other variables", { shell: "echo $WORD", env: { WORD: "said" } }, () => {}],
    ["another folder", { shell: "pwd", cwd: "inner" }, () => {}],
    [
      "a new control file",
      { shell: control },
      () => writeFileSync(join(root.path, ".envrc"), "{}"),
    ],
    ["a control file put in the place of one", { shell: control }, () => replace(".envrc")],
    [
      "a control folder put in the place of one",
      { shell: control },
      () => replaceFolder(".vscode"),
    ],
  ]
  for (const [what, spec, change] of changes) {
    await pool.run({ shell: "true" })
    await waits()
    change()
    used = 0

    const { preview } = await pool.run(spec)

    expect({ what, preview, used }).toEqual({
      what,
      preview: expect.stringMatching(
        spec.shell === control ? /^\{\}(\{\})?[\s\S]*Read-only/ : /^(said|.*\/inner)$/m,
      ),
      used: 0,
    })
  }

  function replace(name: string): void {
    writeFileSync(join(root.path, `${name}.new`), "{}")
    renameSync(join(root.path, `${name}.new`), join(root.path, name))
  }

  function replaceFolder(name: string): void {
    rmSync(join(root.path, name), { recursive: true })
    mkdirSync(join(root.path, name))
    writeFileSync(join(root.path, name, "tasks.json"), "{}")
  }
})

test("a shell that is missing is not started, though a sandbox waits", async () => {
  await pool.run({ shell: "true" })
  await waits()
  used = 0

  const { receipt } = await pool.run({ shell: "true", shellPath: "no-such-shell" })

  expect(receipt).toMatchObject({ status: "not_started", reason: expect.stringContaining("found") })
  expect(used).toBe(0)
})

test("two commands at once have a sandbox each", async () => {
  await pool.run({ shell: "true" })
  await waits()

  const ends = await Promise.all([1, 2, 3].map(() => pool.run({ shell: "echo $PPID; sleep 0.2" })))

  expect(ends.map(({ preview }) => preview)).toEqual(["1\n", "1\n", "1\n"])
  expect(used).toBeLessThanOrEqual(1)
})

test("an ended pool leaves no sandbox that waits, and no file", async () => {
  await pool.run({ shell: "true" })
  await waits()

  await pool.pool.close()

  expect(tagged(pool.tag)).toEqual([])
  expect(readdirSync(join(pool.folders.artifacts, "processes"))).toHaveLength(1)
})

test("one that is killed while it waits is no command's end", async () => {
  await pool.run({ shell: "true" })
  await waits()
  for (const id of waiting()) process.kill(id, "SIGKILL")
  await until(() => tagged(pool.tag).length === 0)
  await new Promise(setImmediate)
  used = 0

  expect((await pool.run({ shell: "echo ran" })).preview).toBe("ran\n")
  expect(used).toBe(0)
})

/** A mount that others make on the machine just then spoils one that waits. */
async function inSpare(spec: ProcessSpec): Promise<ProcessEnd> {
  for (let tries = 0; tries < 20; tries += 1) {
    await pool.run({ shell: "true" })
    await waits()
    used = 0
    const end = await pool.run(spec)
    if (used === 1) return end
  }
  throw new Error("no sandbox that waited was used")
}

/** Resolves when a sandbox is up and waits for its command. */
async function waits(): Promise<void> {
  await until(() => waiting().length > 0)
}

/** The shells that wait, by their ids as the host has them. */
function waiting(): number[] {
  return tagged(pool.tag).filter(id => {
    try {
      const isShell = readFileSync(`/proc/${id}/cmdline`, "utf8") === "/bin/sh\0"
      // It has closed what it said by that it waits.
      return isShell && !existsSync(`/proc/${id}/fd/6`)
    } catch {
      return false
    }
  })
}

function told({ receipt, preview }: ProcessEnd) {
  const { status, exit_code, signal, output_bytes, reason, containment } = receipt
  return { preview, status, exit_code, signal, output_bytes, reason, containment }
}
