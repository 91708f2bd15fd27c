import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ConversationEvent, DurableEvent, Failure, OpenConversation } from "@harness/protocol"
import { onTestFinished } from "vitest"
import * as z from "zod"
import { createKernel, createLocalLog, type Kernel } from "../../src/index.ts"
import { Script } from "./script.ts"

/** A real kernel over temporary folders, with the fixture package as its only builtin. */
export interface TestKernel {
  kernel: Kernel
  root: string
  home: string
  /** Every event so far, in order. */
  events: ConversationEvent[]
  /** Opens a conversation with the scripted provider; the style is `tools`. */
  open(options?: Partial<OpenConversation>): Promise<string>
  send(conversation: string, text: string, verify?: string): Promise<SendAnswer>
  /** Closes a conversation and takes it up again; the provider then gives these replies. */
  resume(
    conversation: string,
    replies: Script["replies"],
    options?: Partial<OpenConversation>,
  ): Promise<string>
  /** What the provider was asked, request by request. */
  requests(): Request[]
  /** The lines of the only log. */
  log(): unknown[]
  read(path: string): string
  dispose(): Promise<void>
}

type SendAnswer = Extract<Awaited<ReturnType<Kernel["dispatch"]>>, { type: "send" }>

const Request = z.object({
  instructions: z.string(),
  tools: z.array(z.looseObject({ name: z.string() })),
  messages: z.array(z.json()),
})
export type Request = z.infer<typeof Request>

type KernelOptions = {
  files?: Record<string, string>
  config?: object
  env?: Record<string, string>
}

/** A kernel whose provider gives these replies; disposed of when the test has finished. */
export function startKernel(
  replies: Script["replies"],
  { price, ...options }: KernelOptions & { price?: Script["price"] } = {},
): TestKernel {
  const kernel = testKernel({ replies, ...(price && { price }) }, options)
  onTestFinished(() => kernel.dispose())
  return kernel
}

function testKernel(script: Script, options: KernelOptions): TestKernel {
  const base = mkdtempSync(join(tmpdir(), "kernel-test-"))
  const [root, home] = [join(base, "root"), join(base, "home")]
  mkdirSync(root)
  mkdirSync(home, { mode: 0o700 })
  shareCompiled(join(home, "cache"))
  for (const [path, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const scriptFile = join(base, "script.json")
  writeFileSync(scriptFile, JSON.stringify(Script.parse(script)))
  writeFileSync(join(home, "config.jsonc"), JSON.stringify(options.config ?? {}))

  let ids = 0
  const env = { PATH: process.env.PATH, HOME: base, ...options.env }
  const kernel = createKernel({
    home,
    env,
    log: createLocalLog({ home, env, clock: () => 1_764_000_000_000 }),
    builtins: [
      {
        name: "fixture",
        version: "1.0.0",
        manifest: {
          api: 1,
          contributes: {
            kinds: [{ name: "desk", module: "." }],
            providers: [{ name: "scripted", module: "." }],
            programs: [{ language: "lines", module: "." }],
            policies: [],
          },
          capabilities: [],
        },
        modules: { ".": new URL("./fixture-package.ts", import.meta.url).href },
      },
    ],
    hosted: {
      "@harness/sdk": sourceOf("sdk/src/index.ts"),
      "@harness/protocol": sourceOf("protocol/src/index.ts"),
    },
    worker: {
      entry: fileURLToPath(sourceOf("worker/src/main.ts")),
      nodeFlags: ["--conditions=@harness/source"],
      restore: sourceOf("worker/src/restore/restore.ts"),
    },
    keychain: {
      entry: fileURLToPath(sourceOf("kernel/src/keys/keychain-process.ts")),
      nodeFlags: [],
    },
    version: "0.0.0-test",
    clock: () => 1_764_000_000_000,
    now: () => performance.now(),
    ids: () => `id${++ids}`.padEnd(12, "0"),
    // A tag of its own: the reaper of another file's kernel would end what carries the same.
    random: bytes => `${process.pid}${`${++ids}`.padStart(6, "0")}`.padStart(bytes * 2, "0"),
  })
  const events: ConversationEvent[] = []
  kernel.subscribe(({ event }) => events.push(event))

  async function open(given: Partial<OpenConversation>): Promise<string> {
    const answer = await kernel.dispatch({
      type: "open",
      folder: root,
      agent: "harness",
      sandbox: "off",
      approver: false,
      ...given,
    })
    if (answer.type === "failed") throw refused(answer.failure)
    return answer.conversation
  }

  return {
    kernel,
    root,
    home,
    events,
    open: (given = {}) => open({ model: `scripted/${scriptFile}`, style: "tools", ...given }),
    async resume(conversation, replies, given = {}) {
      await kernel.dispatch({ type: "close", conversation })
      writeFileSync(scriptFile, JSON.stringify(Script.parse({ ...script, replies })))
      return open({ resume: conversation, ...given })
    },
    async send(conversation, text, verify) {
      const answer = await kernel.dispatch({
        type: "send",
        conversation,
        text,
        ...(verify && { verify }),
      })
      if (answer.type === "failed") throw refused(answer.failure)
      return answer
    },
    requests: () => requestsIn(scriptFile),
    log: () => onlyLog(join(home, "projects")),
    read: path => readFileSync(join(root, path), "utf8"),
    async dispose() {
      await kernel.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** What the model of this script was asked. */
export function requestsIn(scriptFile: string): Request[] {
  return z.array(Request).parse(JSON.parse(readFileSync(`${scriptFile}.requests.json`, "utf8")))
}

/** The file URL of another package's source: the tests run without a build. */
function sourceOf(path: string): string {
  return new URL(`../../../${path}`, import.meta.url).href
}

function refused({ code, message }: Failure): Error {
  return new Error(`${code}: ${message}`)
}

function onlyLog(projects: string): unknown[] {
  const logs = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter(path =>
    path.endsWith("log.jsonl"),
  )
  const [log] = logs
  if (log === undefined || logs.length > 1) throw new Error(`${logs.length} logs`)
  return readFileSync(join(projects, log), "utf8")
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line))
}

/** The durable events of one type. */
export function ofType<Type extends DurableEvent["type"]>(
  events: readonly ConversationEvent[],
  type: Type,
): Extract<DurableEvent, { type: Type }>[] {
  return events.filter(
    (event): event is Extract<DurableEvent, { type: Type }> => event.type === type,
  )
}

/** So that the worker is not compiled again for each kernel: half of what it takes to start. */
function shareCompiled(cache: string): void {
  const shared = fileURLToPath(
    new URL("../../../../node_modules/.cache/kernel-home", import.meta.url),
  )
  mkdirSync(shared, { recursive: true, mode: 0o700 })
  symlinkSync(shared, cache)
}
