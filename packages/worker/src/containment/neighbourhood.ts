import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readlinkSync } from "node:fs"
import { Readable } from "node:stream"
import type { Namespaces, SandboxProvider } from "@harness/sandbox"
import type { WorkerSandbox } from "./sandbox.ts"

/**
 * The network that the contained commands of one worker share: what one of them serves, the others
 * reach, and nobody else. Without `namespaces` each command has a network of its own.
 */
export interface Neighbourhood {
  readonly namespaces: Namespaces | undefined
  close(): void
}

/** What hangs does not hold up the first command. */
const START_MS = 5_000

const nobody: Neighbourhood = { namespaces: undefined, close: () => undefined }

/** Makes the network; where that does not work commands are held all the same. Never rejects. */
export async function neighbourhoodOf({
  provider,
  network,
}: Pick<WorkerSandbox, "provider" | "network">): Promise<Neighbourhood> {
  // With the host's network all of them share that.
  const wrapped = network ? undefined : provider.newNetwork?.()
  if (wrapped === undefined) return nobody

  const [program = "", ...args] = wrapped.argv
  const { env, cwd } = wrapped
  const child = spawn(program, args, { env, cwd, stdio: ["pipe", "pipe", "ignore", "pipe"] })
  child.on("error", () => undefined)
  child.stdin?.on("error", () => undefined)
  const late = setTimeout(() => child.kill("SIGKILL"), START_MS)
  try {
    return await openNamespaces(child, provider)
  } catch {
    return nobody
  } finally {
    clearTimeout(late)
    child.stdin?.end()
  }
}

/**
 * The open descriptors keep the namespaces when the process has ended. They are named by way of this
 * process: a path below the other one's id could one day be a stranger's.
 */
async function openNamespaces(
  child: ChildProcess,
  provider: SandboxProvider,
): Promise<Neighbourhood> {
  const { stdout, stdio } = child
  const report = stdio[3]
  if (stdout === null || !(report instanceof Readable)) return nobody

  const [text] = await Promise.all([once(report, "data"), up(stdout)])
  const { group } = provider.started(String(text))
  if (group === undefined) return nobody

  const opened = ["user", "net"].map(name => openSync(`/proc/${group}/ns/${name}`, "r"))
  const [user, network] = opened.map(descriptor => `/proc/${process.pid}/fd/${descriptor}`)
  const close = () => {
    for (const descriptor of opened.splice(0)) closeSync(descriptor)
  }
  const isOurs =
    network === undefined || readlinkSync(network) === readlinkSync("/proc/self/ns/net")
  if (user === undefined || isOurs) {
    close()
    return nobody
  }
  return { namespaces: { user, network }, close }
}

/** Resolves with its first line; rejects when it ends without one. */
async function up(stdout: Readable): Promise<void> {
  for await (const _line of stdout.iterator({ destroyOnReturn: false })) return
  throw new Error("it ended before it was up")
}
