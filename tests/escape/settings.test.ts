// What a setting opens, and that it opens no more; what one command leaves for the next.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { compiledProbes } from "./support/compiled.ts"
import { type Host, startHost } from "./support/host.ts"
import { makeIdentities } from "./support/identities.ts"
import { makeSandboxes } from "./support/run.ts"
import { git, makeWorld, type World } from "./support/world.ts"

const identities = makeIdentities()
const everybody = identities.map(identity => ({ identity, who: identity.name }))
const sandboxes = makeSandboxes()
const program = compiledProbes()

afterAll(() => {
  for (const each of [...identities, sandboxes, program]) each.remove()
})

test.for(everybody)(
  "as $who, unix sockets of its own work when asked for, and lead to no host",
  async ({ identity }) => {
    const { world, host } = await machineFor(identity)
    const script = `
    "$PROBE" serve datagram "$TMPDIR/own" > said & sleep 0.2
    "$PROBE" unix-pair datagram "$TMPDIR/own"
    "$PROBE" unix "$OUT/run/docker.sock"
    "$PROBE" unix "$ROOT/agent.sock"
    "$PROBE" unix "@$ABSTRACT"
    "$PROBE" unix-pair datagram "$OUT/run/datagram.sock"
    sleep 0.1; cat said; rm said`

    const { output } = await run(world, host, script, { unixSockets: true })

    expect(output.split("\n")).toEqual([
      "ESCAPED",
      "connect: Connection refused",
      "connect: Connection refused",
      "connect: Connection refused",
      "connect: Connection refused",
      "connect again: Connection refused",
      "ready",
      "visit",
      "",
    ])
    expect(host.visits()).toEqual([])
  },
)

test.for(everybody)(
  "as $who, with the network the host is reached by it alone",
  async ({ identity }) => {
    const { world, host } = await machineFor(identity)
    const script = `
    "$PROBE" tcp "$TCP_PORT"
    "$PROBE" unix "@$ABSTRACT"
    "$PROBE" unix "$OUT/run/docker.sock"
    "$PROBE" ptrace "$HOST_PID"
    "$PROBE" family 17 3 0
    (: < /etc/resolv.conf) && echo readable`

    const { output } = await run(world, host, script, { network: true, unixSockets: true })

    expect(output.split("\n")).toEqual([
      "ESCAPED",
      "socket: Operation not permitted",
      "socket: Operation not permitted",
      "ptrace: Operation not permitted",
      "socket: Operation not permitted",
      "readable",
      "",
    ])
    expect(host.visits()).toEqual(["tcp"])
  },
)

test.for(everybody)(
  "as $who, debuggers trace their own processes when asked for, and no others",
  async ({ identity }) => {
    const { world, host } = await machineFor(identity)
    const script =
      '"$PROBE" traceme; "$PROBE" vm-read; "$PROBE" ptrace "$HOST_PID"; "$PROBE" io-uring'

    const { output } = await run(world, host, script, { debuggers: true })

    expect(output.split("\n")).toEqual([
      "ESCAPED",
      "ESCAPED",
      "ptrace: No such process",
      "io_uring_setup: Operation not permitted",
      "",
    ])
  },
)

test.for(everybody)(
  "as $who, a library that a variable names is loaded in the sandbox, never around it",
  async ({ identity }) => {
    const { world, host } = await machineFor(identity)
    writeFileSync(
      join(world.root, "library.c"),
      '#include <stdio.h>\n__attribute__((constructor)) static void start(void) { FILE *f = fopen(WHERE, "w"); if (f) { fputs("x", f); fclose(f); } }\n',
    )
    const library = join(world.root, "library.so")
    const build = `gcc -shared -fPIC -DWHERE='"${world.outside}/written"' -o library.so library.c`
    expect(await run(world, host, build)).toMatchObject({ code: 0 })

    await run(world, host, "true", { env: { LD_PRELOAD: library, LD_LIBRARY_PATH: world.root } })

    expect(existsSync(join(world.outside, "written"))).toBe(false)
  },
)

test.for(everybody)(
  "as $who, what one command leaves in the way opens nothing for the next",
  async ({ identity }) => {
    const { world, host } = await machineFor(identity)
    rmSync(join(world.root, ".git"), { recursive: true })
    const left = [
      "mkdir -p forged/worktrees/x",
      'echo "gitdir: $ROOT/forged/worktrees/x" > .git',
      'echo "$ROOT/.git" > forged/worktrees/x/gitdir',
      'echo "$OUT" > forged/worktrees/x/commondir',
      'ln -s "$OUT" .vscode',
      "mkfifo .envrc",
      'ln -s "$OUT/.ssh" .devcontainer.json',
      "mkdir .harness; ln -s .. .harness/loop",
    ].join("\n")
    expect((await run(world, host, left)).output).toBe("")

    const { output } = await run(
      world,
      host,
      'echo x > "$OUT/written"; cat "$HOME/.ssh/id_test"; echo done',
    )

    expect(output).toMatch(/Read-only file system/)
    expect(output).toMatch(/done\n/)
    expect(existsSync(join(world.outside, "written"))).toBe(false)
  },
)

test.for(everybody)(
  "as $who, a worktree's history can be written, what git reads before it acts cannot",
  async ({ identity }) => {
    const { world, host } = await machineFor(identity)
    const root = join(world.outside, "fix")
    git(world, "worktree", "add", "-q", root)
    const script = `
    git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m worktree && git log -1 --format=%s
    common=$(git rev-parse --git-common-dir)
    for each in "$common/hooks/pre-commit" "$common/config" .git "$(git rev-parse --git-dir)/commondir" "$common/worktrees/new"
    do echo x 2> /dev/null > "$each" && echo "written $each"; done
    git config user.name b 2> /dev/null && echo configured
    git branch other && git branch -D other 2> /dev/null`

    const { output } = await run({ ...world, root }, host, script, { root, cwd: root })

    expect(output).toMatch(/^worktree\nDeleted branch other \(was [0-9a-f]+\)\.\n$/)
  },
)

test.for(everybody)(
  "as $who, a folder that is swapped for a link while it is mounted over leads nowhere",
  async ({ identity }) => {
    const { world, host } = await machineFor(identity)
    mkdirSync(join(world.outside, "elsewhere"))
    writeFileSync(join(world.outside, "tasks.json"), "{}")
    const swapper = run(
      world,
      host,
      'mkdir .vscode; echo {} > .vscode/tasks.json; ln -s .. link; timeout 2 "$PROBE" swap .vscode link',
    )

    const ends: string[] = []
    for (const until = Date.now() + 1_500; Date.now() < until; ) {
      const { output } = await run(world, host, 'echo x > "$OUT/written"; echo ran')
      ends.push(output)
    }
    await swapper

    expect(existsSync(join(world.outside, "written"))).toBe(false)
    const known = /Read-only file system|nothing was started|^bwrap: /
    expect(ends.filter(output => !known.test(output))).toEqual([])
    expect(ends.length).toBeGreaterThan(0)
  },
)

async function machineFor(identity: World["identity"]) {
  const world = makeWorld(identity, "a project in the home folder")
  const host = await startHost(world, program.path)
  onTestFinished(() => {
    host.close()
    world.remove()
  })
  return { world, host }
}

function run(
  world: World,
  host: Host,
  script: string,
  policy: Parameters<typeof sandboxes.run>[1]["policy"] = {},
) {
  const env = { ...host.variables, PROBE: program.path, ...policy.env }
  return sandboxes.run(["sh", "-c", script], { world, policy: { ...policy, env } })
}
