import { randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import type { LogEntry } from "@harness/kernel"
import { WORKER_NODE_OPTIONS } from "@harness/worker"
import { shipped } from "./builtins.ts"
import { homeIn } from "./home.ts"
import type { Compose } from "./invocation.ts"
import { findLayout } from "./layout.ts"
import { readVersion } from "./version.ts"
import { keepYoungGenerationSmall } from "./young-generation.ts"

/**
 * The composition root: nothing else builds parts. The kernel over HARNESS_HOME, with what ships
 * with the command. Loaded here and not before.
 */
export const compose: Compose = async ({ env, cwd }) => {
  keepYoungGenerationSmall()
  const { createKernel, createLocalLog } = await import("@harness/kernel")
  const { locate, checkout, nodeFlags } = findLayout()
  const version = readVersion()
  const home = homeIn(env, cwd)
  const log = createLocalLog({ home, env, clock: Date.now })
  process.on("uncaughtExceptionMonitor", error => log.record(uncaught(error)))

  return createKernel({
    home,
    env,
    log,
    builtins: shipped.map(({ name, manifest }) => ({
      name,
      version,
      manifest,
      modules: { ".": locate(name) },
    })),
    hosted: Object.fromEntries(hosted.map(specifier => [specifier, locate(specifier)])),
    ...(checkout !== undefined && { checkout }),
    worker: {
      entry: fileURLToPath(locate("@harness/worker/main")),
      nodeFlags: [...WORKER_NODE_OPTIONS, ...nodeFlags],
      restore: locate("@harness/worker/restore"),
    },
    keychain: { entry: fileURLToPath(locate("@harness/kernel/keychain")), nodeFlags },
    version,
    clock: Date.now,
    now: () => performance.now(),
    ids: () => random(6),
    random,
  })
}

/** Anything can be thrown, whatever the type says. */
function uncaught(error: unknown): LogEntry {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { level: "error", event: "uncaught", stack }
}

const random = (bytes: number) => randomBytes(bytes).toString("hex")

/** What packages import and must share with the program, so that there is one of each. */
const hosted = ["@harness/sdk", "@harness/sdk/loading", "@harness/protocol"]
