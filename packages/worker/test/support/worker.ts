import { type ChildProcess, fork } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  defaultSecretFiles,
  type Json,
  type JsonObject,
  Limits,
  Permit,
  WORKER_PROTOCOL,
  WorkerReply,
} from "@harness/protocol"
import { signTicket, ticketKey } from "@harness/protocol/ticket"

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))
const kind = new URL("../fixtures/probe-kind.ts", import.meta.url).href
const hosted = {
  "@harness/sdk": new URL("../../../sdk/src/index.ts", import.meta.url).href,
  "@harness/protocol": new URL("../../../protocol/src/index.ts", import.meta.url).href,
}

/** So that the worker is not compiled again for each test. */
const compiled = fileURLToPath(
  new URL("../../../../node_modules/.cache/compiled-worker", import.meta.url),
)

export type WorkerOptions = {
  limits?: Partial<Limits>
  env?: Record<string, string>
  hello?: JsonObject
}

/** A real worker, forked as the kernel forks it, and the controller's side of its channel. */
export type TestWorker = {
  child: ChildProcess
  replies: WorkerReply[]
  tag: string
  folder: string
  root: string
  artifacts: string
  hello: JsonObject
  send(frame: JsonObject): void
  /** The first reply that fits, now or later. */
  reply(fits: (reply: WorkerReply) => boolean): Promise<WorkerReply>
  ticketed(
    type: "run" | "preview",
    action: string,
    input: JsonObject,
    more?: JsonObject,
  ): JsonObject
  run(action: string, input: JsonObject, more?: JsonObject): Promise<Ended>
  /** Ends the worker by its id and removes its folders. */
  dispose(): Promise<void>
}

export type Ended = Extract<WorkerReply, { type: "ended" }>

/** Starts a worker and says hello; resolves when it is ready or has failed. */
export async function openWorker(options: WorkerOptions = {}): Promise<TestWorker> {
  const worker = await startWorker(options)
  worker.send(worker.hello)
  await worker.reply(({ type }) => type === "ready" || type === "failed")
  return worker
}

export async function startWorker(options: WorkerOptions = {}): Promise<TestWorker> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "harness-worker-")))
  const root = await realpath(await mkdtemp(join(tmpdir(), "harness-root-")))
  const artifacts = join(folder, "artifacts")
  const key = randomBytes(32).toString("hex")
  const tag = randomUUID()
  const child = fork(main, [], {
    execArgv: ["--conditions=@harness/source"],
    serialization: "advanced",
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { NODE_COMPILE_CACHE: compiled, ...process.env, ...options.env },
  })
  child.stderr?.pipe(process.stderr)

  const replies: WorkerReply[] = []
  const waiting = new Set<() => void>()
  child.on("message", message => {
    replies.push(WorkerReply.parse(message))
    for (const check of [...waiting]) check()
  })
  let nextId = 0

  const worker: TestWorker = {
    child,
    replies,
    tag,
    folder,
    root,
    artifacts,
    hello: {
      type: "hello",
      protocol: WORKER_PROTOCOL,
      key,
      tag,
      module: { url: kind, name: "probe", hosted, linked: true },
      root,
      temp: join(folder, "temp"),
      artifacts,
      limits: Limits.parse(options.limits ?? {}),
      environment: {},
      sandbox: "off",
      network: true,
      home: folder,
      containment: { hide: [], unix_sockets: false, debuggers: false },
      secret_files: [...defaultSecretFiles],
      ...options.hello,
    },
    send: frame => void child.send(frame),

    reply: fits =>
      new Promise(resolve => {
        const check = () => {
          const found = replies.find(fits)
          if (found === undefined) return
          waiting.delete(check)
          resolve(found)
        }
        waiting.add(check)
        check()
      }),

    ticketed(type, action, input, more = {}) {
      nextId += 1
      const actionId = `a${nextId}`
      const permits = Permit.array().parse(more.permits ?? [])
      const mac = signTicket(ticketKey(key), { type, actionId, action, input, permits })
      const ticket = { action_id: actionId, mac }
      const grant = { basis: null satisfies Json, grant_bytes: 64 * 1_048_576 }
      return {
        type,
        id: nextId,
        ticket,
        action,
        input,
        permits,
        ...(type === "run" && grant),
        ...more,
      }
    },

    async run(action, input, more) {
      const frame = worker.ticketed("run", action, input, more)
      worker.send(frame)
      const reply = await worker.reply(
        each => (each.type === "ended" || each.type === "refused") && each.id === frame.id,
      )
      if (reply.type !== "ended") throw new Error(`not run: ${JSON.stringify(reply)}`)
      return reply
    },

    async dispose() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, "exit")
        if (child.connected) child.send({ type: "close" })
        else child.kill("SIGKILL")
        await exited
      }
      await rm(folder, { recursive: true, force: true })
      await rm(root, { recursive: true, force: true })
    },
  }
  return worker
}
