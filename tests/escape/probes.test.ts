// What a command of an attacker might try, as root and as an ordinary user, wherever the project lies.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { neighbourhoodOf } from "../../packages/worker/src/containment/neighbourhood.ts"
import { processesWith } from "../e2e/support/processes.ts"
import { probes } from "./probes/all.ts"
import { compiledProbes } from "./support/compiled.ts"
import { startHost } from "./support/host.ts"
import { type Identity, makeIdentities } from "./support/identities.ts"
import { type Controlled, controlsOf, outcomesOf } from "./support/probing.ts"
import { makeSandboxes } from "./support/run.ts"
import { type Layout, layouts, makeWorld } from "./support/world.ts"

const identities = makeIdentities()
const sandboxes = makeSandboxes()
const program = compiledProbes()

afterAll(() => {
  for (const each of [...identities, sandboxes, program]) each.remove()
})

const [usual] = layouts
const expectedOutcomes = Object.fromEntries(
  probes.map(({ name, outcome }) => [name, outcome ?? "refused"]),
)
const settings = identities.flatMap(identity =>
  layouts.map(layout => ({ identity, layout, who: identity.name })),
)

test.for(settings)(
  "$who, $layout: nothing gets through but what the receipt tells",
  async setting => {
    const { world, host } = await machineFor(setting)
    const probing = { world, host, probeProgram: program.path }

    const outcomes = await outcomesOf(probes, probing, {
      sandboxes,
      exactly: setting.layout === usual,
    })

    await expect.poll(() => processesWith("sleep\u000077."), { timeout: 10_000 }).toEqual([])
    const seen = {
      visits: host.visits(),
      bystander: { code: host.bystander.exitCode, signal: host.bystander.signalCode },
      victim: readFileSync(join(world.outside, "victim.txt"), "utf8"),
    }
    expect(outcomes).toEqual(expectedOutcomes)
    expect(seen).toEqual({
      visits: [],
      bystander: { code: null, signal: null },
      victim: "as it was\nchanged\n",
    })
  },
)

test.for(identities.map(identity => ({ identity, who: identity.name })))(
  "$who: nothing more gets through in a sandbox that waited for its command",
  async ({ identity }) => {
    const { world, host } = await machineFor({ identity, layout: "a project in the home folder" })
    const probing = { world, host, probeProgram: program.path }

    const how = { sandboxes, exactly: true, waiting: true }
    const outcomes = await outcomesOf(probes, probing, how)

    expect(outcomes).toEqual(expectedOutcomes)
    expect(host.visits()).toEqual([])
  },
)

test("commands that share a network get through to each other by it, and to nobody else", async () => {
  // Whoever makes a network is whoever may enter it: nobody else is tried here.
  const [identity] = identities
  if (identity === undefined) throw new Error("there is nobody to run commands")
  const { world, host } = await machineFor({
    identity,
    layout: "a project in the home folder",
  })
  const { provider } = sandboxes
  const neighbourhood = await neighbourhoodOf({ provider, network: false })
  const neighbours = neighbourhood.namespaces

  const outcomes = await outcomesOf(
    probes,
    {
      world: { ...world, policy: { ...world.policy, neighbours } },
      host,
      probeProgram: program.path,
    },
    { sandboxes, exactly: true },
  )

  const visits = host.visits()
  neighbourhood.close()
  expect(neighbours).toBeDefined()
  expect(outcomes).toEqual(expectedOutcomes)
  expect(visits).toEqual([])
})

describe("without a sandbox", () => {
  test.for(identities.map(identity => ({ identity, who: identity.name })))(
    "each probe of $who that does no harm gets through",
    async ({ identity }) => {
      const { world, host } = await machineFor({
        identity,
        layout: "a project in the home folder",
      })

      const controls = await controlsOf(
        probes,
        { world, host, probeProgram: program.path },
        // What only root may do is shown once, by whoever may do the most.
        { privileged: identity === identities[0] },
      )

      const visits = new Set(host.visits())
      const shown = controls.filter(({ outcome }) => outcome === "open")
      const others = controls.filter(({ outcome }) => outcome !== "open")
      tell(identity, { shown: shown.length, others })
      expect(others.filter(({ outcome }) => outcome === "closed")).toEqual([])
      expect(visits).toEqual(
        new Set(["abstract", "datagram", "packets", "path", "path in the root", "tcp", "udp"]),
      )
    },
  )
})

/** What a control could not show on this machine is no secret. */
function tell(
  { name }: Identity,
  { shown, others }: { shown: number; others: readonly Controlled[] },
): void {
  const lines = others.map(each => `  ${each.name}: ${each.outcome}: ${each.said}`)
  const summary = `without a sandbox ${shown} probes of ${name} got through`
  process.stderr.write([summary, ...lines, ""].join("\n"))
}

async function machineFor({ identity, layout }: { identity: Identity; layout: Layout }) {
  const world = makeWorld(identity, layout)
  const host = await startHost(world, program.path)
  onTestFinished(() => {
    host.close()
    world.remove()
  })
  return { world, host }
}
