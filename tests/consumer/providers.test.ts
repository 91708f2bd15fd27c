import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { startWireServer } from "../support/wire/server.ts"
import { vendors } from "../support/wire/vendors.ts"
import { type Consumer, newConsumer, tarball } from "./consumer.ts"
import { type LocalRegistry, startRegistry } from "./registry.ts"

const onWindows = process.platform === "win32"

let consumer: Consumer
let registry: LocalRegistry
let harness: string

beforeAll(async () => {
  consumer = await newConsumer()
  const upstream = await consumer.must("npm", ["config", "get", "registry"])
  registry = await startRegistry(upstream.trim())
  const globally = ["install", "--global", "--prefix", consumer.path, "--no-audit", "--no-fund"]
  await consumer.must("npm", [...globally, tarball("@harness/cli")])
  harness = join(consumer.path, onWindows ? "harness.cmd" : "bin/harness")
  await consumer.must(harness, ["install", tarball("@harness/workspace"), "--yes"])
})

afterAll(async () => {
  await registry.close()
  await consumer.remove()
})

test.for(vendors)(
  "provider-$name installs from a registry by its short name, and its model answers",
  async ({ name, model, dialect, key, url }) => {
    const server = await startWireServer({ dialect, script: [{ text: "Hello." }] })
    onTestFinished(() => server.close())

    await consumer.must(harness, ["install", `provider-${name}`, "--yes"], {
      npm_config_registry: registry.url,
    })
    const choices = ["--folder", consumer.path, "--sandbox", "off", "--style", "tools"]
    const answer = await consumer.must(harness, ["run", "Say hello.", "-p", ...choices], {
      HARNESS_MODEL: model,
      [url]: server.baseUrl,
      [key]: "consumer-key",
    })

    expect(answer).toBe("Hello.\n")
  },
)
