import { readFileSync, writeFileSync } from "node:fs"
import { failure, type JsonObject } from "@harness/protocol"
import {
  defineAction,
  defineKind,
  defineProgramRuntime,
  defineProvider,
  defineToolView,
  type ModelEvent,
  type ProcessEnd,
  type ProgramEnd,
  type ProgramSession,
  z,
} from "@harness/sdk"
import { Script } from "./script.ts"

/**
 * A package for the kernel's own tests: a small kind over the real worker, and a provider that plays
 * a script from a file and writes down what it was asked. The kernel names no other package.
 */

const look = defineAction({
  name: "look",
  description: "Reads a note.",
  effect: "read",
  returns: "{text, sha256}",
  input: z.object({ path: z.string() }),
  async run({ path }, { files }): Promise<JsonObject> {
    const file = await files.read(path, { limitBytes: 1_000_000 })
    if (file.status === "refused") return { error: file.error, message: file.message }
    return { text: Buffer.from(file.bytes).toString(), sha256: file.sha256 }
  },
  knows: ({ path }, { sha256 }) => (typeof sha256 === "string" ? [{ path, sha256 }] : []),
})

const note = defineAction({
  name: "note",
  description: "Writes a note.",
  effect: "write",
  returns: "{sha256}",
  input: z.object({ path: z.string(), text: z.string(), expected: z.string().default("absent") }),
  async preview({ path, text }, { files }) {
    const file = await files.read(path, { limitBytes: 1_000_000 })
    const before = file.status === "read" ? file.sha256 : "absent"
    return { preview: { format: "diff", text: `${path}\n+${text}` }, basis: { before } }
  },
  async run({ path, text, expected }, { files, basis }): Promise<JsonObject> {
    const shown = z.object({ before: z.string() }).nullable().parse(basis)
    const written = await files.replace(path, Buffer.from(text), {
      expected: shown?.before ?? expected,
    })
    if (written.status === "written") return { sha256: written.sha256 }
    if (written.status === "conflict") return { error: "conflict", found: written.found }
    return { error: written.error, message: written.message }
  },
  knows: ({ path }, { sha256 }) => (typeof sha256 === "string" ? [{ path, sha256 }] : []),
})

const call = defineAction({
  name: "call",
  description: "Runs a command line.",
  effect: "execute",
  returns: "{status, exit_code, output}",
  input: z.object({ command: z.string(), network: z.string().nullable().default(null) }),
  permits: ({ network }) => (network === null ? [] : [{ permit: "network", reason: network }]),
  async run({ command, network }, { processes }): Promise<JsonObject> {
    const spec = { shell: command, timeoutSeconds: 60, ...(network !== null && { network: true }) }
    return resultOf(await processes.run(spec))
  },
})

const serve = defineAction({
  name: "serve",
  description: "Starts a command line that runs on.",
  effect: "execute",
  outlives: true,
  returns: "{id, status}",
  input: z.object({ command: z.string(), ready: z.string().nullable().default(null) }),
  async run({ command, ready }, { processes }): Promise<JsonObject> {
    const wanted = ready === null ? undefined : { ready, readySeconds: 60 }
    const { receipt } = await processes.start({ shell: command }, wanted)
    const { id, status, reason } = receipt
    return { id, status, ...(reason !== undefined && { error: reason }) }
  },
})

const end = defineAction({
  name: "end",
  description: "Ends what was started first.",
  effect: "execute",
  returns: "{status}",
  input: z.object({}),
  async run(_input, { processes }): Promise<JsonObject> {
    const [first] = await processes.list()
    const ended = first === undefined ? null : await processes.cancel(first.receipt.id)
    return { status: ended?.receipt.status ?? null }
  },
})

const riddle = defineAction({
  name: "riddle",
  description: "Fails to say what it needs leave for.",
  effect: "execute",
  returns: "{}",
  input: z.object({}),
  permits() {
    throw new Error("who knows")
  },
  run: async (): Promise<JsonObject> => ({}),
})

const vanish = defineAction({
  name: "vanish",
  description: "Ends the worker in the middle of the action.",
  effect: "execute",
  returns: "{}",
  input: z.object({}),
  async run(): Promise<JsonObject> {
    process.kill(process.pid, "SIGKILL")
    return new Promise(() => {})
  },
})

const show = defineAction({
  name: "show",
  description: "Shows a picture.",
  effect: "read",
  shows: true,
  returns: "{width, height}",
  input: z.object({ path: z.string() }),
  async run({ path }, { files, images }): Promise<JsonObject> {
    const file = await files.read(path, { limitBytes: 1_000_000 })
    if (file.status === "refused") return { error: file.error, message: file.message }
    const taken = await images.show(file.bytes)
    if (taken.status === "refused") return { error: taken.error, message: taken.reason }
    return { width: taken.image.width, height: taken.image.height, seen: taken.seen }
  },
})

function resultOf({ receipt, preview }: ProcessEnd): JsonObject {
  return { status: receipt.status, exit_code: receipt.exit_code, output: preview }
}

const actions = [look, note, call, serve, end, riddle, vanish, show]

export const desk = defineKind({
  name: "desk",
  description: "a desk with notes on it.",
  actions,
  tools: actions.map(action =>
    defineToolView({
      name: action.name,
      description: action.description,
      input: action.input,
      plan(input, known) {
        const path = String(input.path ?? "")
        const expected = action.name === "note" ? known.hashOf(path) : undefined
        const filled = JSON.parse(JSON.stringify(input))
        return { action: action.name, input: { ...filled, ...(expected && { expected }) } }
      },
      present: (_input, result) => JSON.stringify(result),
    }),
  ),
  verify: command => ({ action: "call", input: { command } }),
  async guidance({ files }) {
    const file = await files.read("AGENTS.md", { limitBytes: 32_768 })
    if (file.status === "refused") return null
    return { name: "AGENTS.md", text: Buffer.from(file.bytes).toString() }
  },
})

/** `scripted/<path of a script.json>`; the requests go to `<path>.requests.json`. */
export const scripted = defineProvider({
  name: "scripted",
  async create({ model }) {
    const script = Script.parse(JSON.parse(readFileSync(model, "utf8")))
    const requests: unknown[] = []
    return {
      ...(script.price && { price: script.price }),
      async *stream({ instructions, tools, messages }, signal): AsyncGenerator<ModelEvent> {
        const reply = script.replies[Math.min(requests.length, script.replies.length - 1)]
        requests.push({ instructions, tools, messages: JSON.parse(JSON.stringify(messages)) })
        writeFileSync(`${model}.requests.json`, JSON.stringify(requests))
        if (reply === undefined) throw new Error("the script is empty")
        if (reply.hangs) {
          await new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason), { once: true })
          })
        }
        for (const part of reply.parts) {
          if (part.type === "text") yield { type: "delta", of: "text", text: part.text }
          yield { type: "part", part }
        }
        if (reply.fails !== undefined) {
          const named = { provider: "scripted", model: "m", reason: reply.fails }
          throw failure("provider_failed", { ...named, hint: "Try again." })
        }
        if (reply.endsEarly) return
        const called = reply.parts.some(part => part.type === "call")
        yield {
          type: "finish",
          reason: reply.finish ?? (called ? "tool_calls" : "stop"),
          usage: {
            input_tokens: 100,
            cached_input_tokens: 0,
            output_tokens: 10,
            reasoning_tokens: null,
          },
        }
      },
    }
  },
})

/**
 * A language for tests: each line is `print <text>`, `repeat <count> <text>`, `call <name> <json>`
 * (prints the result), `fail <reason>`, or `lose` (the interpreter goes). Its only variable is the
 * number of programs that it has run.
 */
export const lines = defineProgramRuntime({
  name: "lines",
  notes: "One instruction a line.",
  signature: (name, parameters, returns) =>
    `${name}(${parameters.map(parameter => parameter.name).join(", ")}) -> ${returns}`,
  async start(): Promise<ProgramSession> {
    return {
      async run({ source, call, output, signal }) {
        const end: ProgramEnd = {
          status: "ok",
          exitCode: null,
          error: null,
          calls: 0,
          outputCharacters: 0,
          elapsedMs: 1,
          variablesKept: true,
        }
        const say = (text: string) => {
          end.outputCharacters += text.length
          output("stdout", text)
        }
        const clock = { pause: () => say("[pause]\n"), resume: () => say("[resume]\n") }
        for (const line of source.split("\n")) {
          if (signal.aborted) return { ...end, status: "interrupted", error: "stopped" }
          const [word, first = "", rest = ""] = line.match(/^(\w+) ?(\S*) ?(.*)$/s)?.slice(1) ?? []
          if (word === "print") say(`${first} ${rest}`.trimEnd().concat("\n"))
          else if (word === "repeat") say(rest.repeat(Number(first)))
          else if (word === "fail") return { ...end, status: "error", error: `${first} ${rest}` }
          else if (word === "lose")
            return { ...end, status: "died", error: "gone", variablesKept: false }
          else if (word === "call") {
            end.calls += 1
            const answer = await call(first, JSON.parse(rest), clock)
            say(`${JSON.stringify("ok" in answer ? answer.ok : answer)}\n`)
          }
        }
        return end
      },
      async dispose() {},
    }
  },
})
