// What a run costs, by the tokens that a server on the wire tells and a price that the user sets.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { runCli } from "../support/run-cli.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { anthropicMessages } from "../support/wire/anthropic-messages.ts"
import { startWireServer, type WireScript } from "../support/wire/server.ts"
import { compiled, type Homes, prepareHomes, root } from "./support/homes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

/** A home with Anthropic's package in it, and that configuration. */
async function prepare(config: object, script: WireScript) {
  const home = await homes.fresh()
  const project = await temporaryFolder({ "a.txt": "one\n" })
  const server = await startWireServer({ dialect: anthropicMessages, script })
  onTestFinished(async () => {
    await Promise.all([project.remove(), server.close()])
  })
  await home.write({ "config.jsonc": JSON.stringify(config) })

  const env = {
    HARNESS_HOME: home.path,
    NODE_COMPILE_CACHE: compiled,
    HARNESS_MODEL: "claude-sonnet-5",
    ANTHROPIC_BASE_URL: server.baseUrl,
  }
  const harness = (args: readonly string[], more: Record<string, string> = {}) =>
    runCli(args, { cwd: root, env: { ...env, ...more } })
  await harness(["install", "./plugins/provider-anthropic", "--link", "--yes"])

  const choices = ["--folder", project.path, "--style", "tools", "--sandbox", "off"]
  return {
    server,
    harness,
    run: (...options: string[]) =>
      harness(["run", "Read the file.", ...choices, ...options], { ANTHROPIC_API_KEY: "sk-e2e" }),
  }
}

const read = { id: "c1", tool: "read", arguments: { path: "a.txt" } }

const price = {
  input: 3,
  output: 15,
  cached_input: 0.3,
  cache_write: 3.75,
  tiers: [
    { above_input_tokens: 200_000, input: 6, output: 22.5, cached_input: 0.6, cache_write: 7.5 },
  ],
}

test("each step costs by what was cached, written and new, and by the tier of its input", async () => {
  const { run } = await prepare({ models: { "anthropic/claude-sonnet-5": { price } } }, [
    { calls: [read], usage: { input: 10_000, cached: 6_000, written: 3_000, output: 130 } },
    { text: "It says one.", usage: { input: 250_000, cached: 240_000, output: 1_000 } },
  ])

  const { exitCode, stdout } = await run("--max-cost", "5")

  expect(exitCode).toBe(0)
  // 1,000 new, 6,000 cached, 3,000 written and 130 answered; then 10,000, 240,000, 0 and 1,000.
  expect(stdout.match(/\$\d+\.\d+/g)).toEqual(["$0.0180", "$0.2265", "$0.2445"])
})

test("a gateway's price is unknown: a cost limit stops the run, unless the user allows it", async () => {
  const { run, server } = await prepare({}, [{ text: "Nothing to do." }])

  const stopped = await run("--max-cost", "0.01")
  expect(stopped.exitCode).toBe(4)
  expect(stopped.stderr).toContain("error price_unknown: The price of anthropic/claude-sonnet-5")
  expect(server.requests).toEqual([])

  const allowed = await run("--max-cost", "0.01", "--allow-unknown-price")
  expect(allowed.exitCode).toBe(0)
  expect(allowed.stdout).toContain(
    "Nobody knows what anthropic/claude-sonnet-5 costs: the cost limit does not bound it.",
  )
  expect(allowed.stdout).toContain("unknown")
})

test("models are listed without a key: by the catalogue, and by what the user sets", async () => {
  const { harness } = await prepare({ models: { "anthropic/claude-sonnet-5": { price } } }, [])

  const { exitCode, stdout, stderr } = await harness(["models", "anthropic"])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  expect(stdout).toMatch(
    /^\* +anthropic\/claude-sonnet-5 +1,000,000 .* 3\.00 .* price: config\.jsonc$/m,
  )
  expect(stdout).toMatch(/^ +anthropic\/claude-opus-5 .* unknown$/m)

  const json = JSON.parse((await harness(["models", "--json"])).stdout)
  expect(json).toContainEqual({
    id: "anthropic/claude-sonnet-5",
    provider: "anthropic",
    context_tokens: 1_000_000,
    output_tokens: 128_000,
    images: true,
    price,
    generated_at: "2026-11-20",
    default: true,
    configured: ["price"],
  })
})
