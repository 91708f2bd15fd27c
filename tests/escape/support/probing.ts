import { existsSync, rmSync } from "node:fs"
import type { Host } from "./host.ts"
import type { Control, Probe } from "./probe.ts"
import { type End, expanded, runOnHost, type Sandboxes, variablesOf } from "./run.ts"
import type { World } from "./world.ts"

export type Probing = { world: World; host: Host; probeProgram: string }

/** What came of a probe: `refused`, `allowed`, or what it said when that was neither. */
export type Outcomes = Record<string, string>

/** Runs scripts one after another; what each says is found by its mark. */
const runner = `
while [ $# -gt 0 ]; do
  printf "\\n@@@ %s\\n" "$1"
  (timeout 10 sh -c "$2") 2>&1 < /dev/null
  shift 2
done`

/** Runs all probes in one sandbox, but for those that must be alone. */
export async function outcomesOf(
  probes: readonly Probe[],
  { world, host, probeProgram }: Probing,
  {
    sandboxes,
    exactly,
    waiting = false,
  }: { sandboxes: Sandboxes; exactly: boolean; waiting?: boolean },
): Promise<Outcomes> {
  const start = { world, policy: { env: { ...host.variables, PROBE: probeProgram } }, waiting }
  const run = (argv: readonly string[]) => sandboxes.run(argv, start)

  const together = probes.filter(probe => !probe.alone)
  const scripts = together.flatMap(({ name, script }) => [name, script])
  const said = saidBy(await run(["sh", "-c", runner, "sh", ...scripts]))
  for (const { name, script } of probes.filter(probe => probe.alone)) {
    said.set(name, (await run(["sh", "-c", script])).output)
  }

  return Object.fromEntries(
    probes.map(probe => [probe.name, outcomeOf(probe, said.get(probe.name), { world, exactly })]),
  )
}

/** Probes that leave the same file are told apart by nothing but what they say; it suffices. */
function outcomeOf(
  probe: Probe,
  said: string | undefined,
  { world, exactly }: { world: World; exactly: boolean },
): string {
  if (said === undefined) return "did not run"
  const left = probe.leaves !== undefined && existsSync(expanded(probe.leaves, world))
  if (left || /ESCAPED/.test(said)) return `escaped: ${said}`
  if (exactly && !probe.says.test(said)) return `said: ${said}`
  return probe.outcome ?? "refused"
}

/** A control's outcome: `open`, or what the machine said that has the door shut, or anything else. */
export type Controlled = {
  name: string
  outcome: "open" | "shut" | "not run" | "closed"
  said: string
}

/** Whether each probe gets through where nothing holds it. */
export async function controlsOf(
  probes: readonly Probe[],
  probing: Probing,
  { privileged }: { privileged: boolean },
): Promise<Controlled[]> {
  const found: Controlled[] = []
  for (const probe of probes) {
    const { name, control } = probe
    if (canRun(control, privileged)) found.push(await controlled(probe, control, probing))
    else
      found.push({
        name,
        outcome: "not run",
        said: control.in === "root" ? "only root may" : "the first user shows it",
      })
  }
  return found
}

function canRun(control: Control, privileged: boolean): boolean {
  if (control.in === "host") return true
  return privileged && (control.in === "namespace" || process.getuid?.() === 0)
}

const namespaces = [
  "--user",
  "--map-root-user",
  "--mount",
  "--net",
  "--pid",
  "--fork",
  "--mount-proc",
]

async function controlled(
  probe: Probe,
  control: Control,
  { world, host, probeProgram }: Probing,
): Promise<Controlled> {
  const script = control.script ?? probe.script
  const argv =
    control.in === "namespace"
      ? ["unshare", ...namespaces, "sh", "-c", script]
      : ["sh", "-c", script]
  const { output } = await runOnHost(argv, {
    env: {
      ...variablesOf(world),
      ...host.variables,
      ...{ PROBE: probeProgram, HARNESS_FAKE_KEY: "sk-fake-123" },
    },
    cwd: world.root,
    identity: world.identity,
  })
  const left = probe.leaves === undefined ? undefined : expanded(probe.leaves, world)
  const isOpen = left !== undefined && existsSync(left)
  if (left !== undefined) rmSync(left, { force: true })
  const { name } = probe
  if (isOpen || (control.says ?? /ESCAPED/).test(output)) return { name, outcome: "open", said: "" }
  return { name, outcome: control.shut?.test(output) ? "shut" : "closed", said: output.trim() }
}

function saidBy({ output }: End): Map<string, string> {
  const parts = output.split(/^@@@ /m).slice(1)
  return new Map(
    parts.map(part => {
      const end = part.indexOf("\n")
      return [part.slice(0, end), part.slice(end + 1)]
    }),
  )
}
