import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { defaultSecretFiles, type Effect, type Json, Limits, type Permit } from "@harness/protocol"
import type { ActionContext } from "@harness/sdk"
import { sandboxFor } from "../../../sandbox/src/index.ts"
import { changeScans } from "../../../worker/src/changes/scans.ts"
import { workerSandbox } from "../../../worker/src/containment/sandbox.ts"
import { payloadsIn } from "../../../worker/src/evidence/payloads.ts"
import { replacementsInTurn } from "../../../worker/src/files/replace.ts"
import { stagingIn } from "../../../worker/src/files/staging.ts"
import { openRoot } from "../../../worker/src/files/walk.ts"
import { createDecoder } from "../../../worker/src/images/decoder.ts"
import { actingContext, lookingHost } from "../../../worker/src/ipc/context.ts"
import { outputsIn } from "../../../worker/src/outputs/outputs.ts"
import { leastEnvironment } from "../../../worker/src/processes/environment.ts"
import { processPool } from "../../../worker/src/processes/processes.ts"

const GRANT_BYTES = 64 * 1_048_576

const images = {
  media_types: ["image/png", "image/jpeg"],
  longest_side_pixels: 100,
  limit_bytes: 100_000,
  most: 8,
  seen: true,
}

/** The worker's own layers in this process: what an action of an effect gets, and a preview. */
export interface TestEnvironment {
  acting(effect: Effect, basis: Json, permits: readonly Permit[]): ActionContext & { basis: Json }
  looking(permits: readonly Permit[]): ActionContext
  close(): Promise<void>
}

export function environmentIn(root: string, artifacts: string, temp: string): TestEnvironment {
  const { platform, env } = process
  const tag = randomUUID()
  const limits = Limits.parse({})
  const opened = openRoot(root, platform)
  const scans = changeScans({ root: opened, skip: [artifacts, temp], isSecret: () => false })
  const sandbox = workerSandbox({
    provider: sandboxFor("off", {
      platform,
      arch: process.arch,
      searchPath: env.PATH ?? "",
      folder: temp,
      distrusted: [root, temp],
    }),
    root,
    temp,
    harnessHome: temp,
    userHome: temp,
    network: true,
    containment: { hide: [], unix_sockets: false, debuggers: false },
  })
  const processes = processPool({
    limits,
    artifacts,
    environment: leastEnvironment({ own: env, platform, temp, allowed: {}, tag }),
    sandbox,
    scans,
    tag,
    platform,
  })
  const world = {
    root: opened,
    scans,
    limits,
    containment: { sandbox: "off" as const, network: true },
    secretFiles: defaultSecretFiles,
    replacements: replacementsInTurn(stagingIn(join(temp, "home"))),
    payloads: payloadsIn(artifacts),
    processes,
    outputs: outputsIn(artifacts),
    decoder: async () => createDecoder({ sandbox, scratch: temp, tag }),
  }
  const { signal } = new AbortController()
  const live = { text: () => undefined, bytes: () => undefined, rest: () => "" }

  return {
    acting: (effect, basis, permits) =>
      actingContext(world, {
        effect,
        basis,
        permits,
        signal,
        grantBytes: GRANT_BYTES,
        images,
        live,
        starting: () => undefined,
      }).context,
    looking: permits => ({
      ...lookingHost(world, permits),
      signal,
      report: () => undefined,
      keep: async () => null,
      kept: async () => null,
      images: { show: () => Promise.reject(new Error("a preview shows no images")) },
    }),
    async close() {
      await processes.close()
      world.root.step.close()
    },
  }
}
