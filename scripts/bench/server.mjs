// A scripted model behind OpenAI's protocol, in a process of its own so that it disturbs nobody. It
// calls one tool `steps` times and then answers, and notes when each request came and what was in it.
import { createServer } from "node:http"
import { canRead, machineNow, monotonicMs, processesOf } from "./proc.mjs"

/**
 * @typedef {{ steps: number, tool: string, arguments: Record<string, string> }} Script in the
 *   arguments, `{n}` is the number of the call; its result must tell `ok-<n>`
 * @typedef {{ arrivedAtMs: number, endedAtMs: number, bytes: number, problem: string | undefined, told: string, final: boolean }} Exchange
 *   times of the monotonic clock; `told` is the last result
 * @typedef {{ cpuMs: number, machine: { atMs: number, busyMs: number, ownMs: number } }} Weight CPU
 *   time of all processes of the run until then
 * @typedef {{ exchanges: Exchange[], weights: Weight[] }} Recorded weights: at the first request and
 *   at the last, before it is answered, when the run waits for us and no process is between two counts
 */

/** @type {Script} */
let script = { steps: 0, tool: "", arguments: {} }
let run = { root: 0, temporaryFolder: "" }
/** @type {Recorded} */
let record = { exchanges: [], weights: [] }

const server = createServer((request, response) => {
  const arrivedAtMs = monotonicMs()
  const chunks = /** @type {Buffer[]} */ ([])
  request.on("data", chunk => chunks.push(chunk))
  request.on("end", () => {
    if (request.method !== "POST" || !request.url?.endsWith("/chat/completions")) {
      note({ arrivedAtMs, problem: `${request.method} ${request.url} was asked for` })
      response.writeHead(404).end()
      return
    }
    const body = Buffer.concat(chunks)
    answer(JSON.parse(body.toString()), response, { arrivedAtMs, bytes: body.length })
  })
})

process.on("message", (/** @type {{ name: string, value: any }} */ { name, value }) => {
  if (name === "script") {
    script = value
    record = { exchanges: [], weights: [] }
  }
  if (name === "run") run = value
  process.send?.(name === "record" ? record : {})
})
process.on("disconnect", () => process.exit())
// The terminal's signal reaches the whole group; the bench itself says when it is over.
process.on("SIGINT", () => {})
server.listen(0, "127.0.0.1", () => process.send?.(server.address()))

/**
 * @param {{ messages: { role: string, content: unknown }[], tools?: { function: { name: string } }[] }} body
 * @param {import("node:http").ServerResponse} response
 * @param {{ arrivedAtMs: number, bytes: number }} arrival
 */
function answer({ messages, tools = [] }, response, arrival) {
  const results = messages.filter(each => each.role === "tool")
  const told = JSON.stringify(results.at(-1)?.content ?? "")
  const final = results.length >= script.steps
  if (results.length === 0 || final) weigh()

  response.on("finish", () => {
    const problem = problemIn(results.length, told, tools)
    note({ ...arrival, endedAtMs: monotonicMs(), told, final, problem })
  })
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  for (const chunk of final ? sayDone : call(results.length + 1)) {
    response.write(`data: ${JSON.stringify({ ...envelope, ...chunk })}\n\n`)
  }
  response.end("data: [DONE]\n\n")
}

/** @param {Partial<Exchange>} exchange */
function note(exchange) {
  const nothing = { arrivedAtMs: 0, endedAtMs: 0, bytes: 0, told: "", final: false }
  record.exchanges.push({ ...nothing, problem: undefined, ...exchange })
}

function weigh() {
  if (!canRead) return
  const cpuMs = processesOf(run).reduce((sum, each) => sum + each.cpuWithChildrenMs, 0)
  record.weights.push({ cpuMs, machine: machineNow([process.pid, process.ppid]) })
}

/**
 * @param {number} count
 * @param {string} told
 * @param {{ function: { name: string } }[]} tools
 */
function problemIn(count, told, tools) {
  if (!tools.some(each => each.function.name === script.tool)) return `no tool ${script.tool}`
  const isThere = count === 0 || told.includes(`ok-${count}`)
  return isThere ? undefined : `the result of call ${count} has no ok-${count}: ${told}`
}

const envelope = { id: "scripted", object: "chat.completion.chunk", created: 0, model: "scripted" }
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

const sayDone = [
  choice({ role: "assistant", content: "" }),
  choice({ content: "All done." }),
  choice({}, "stop"),
  { choices: [], usage },
]

/** @param {number} number */
function call(number) {
  const text = JSON.stringify(script.arguments).replaceAll("{n}", `${number}`)
  const opening = { id: `call_${number}`, type: "function" }
  const called = { name: script.tool, arguments: "" }
  return [
    choice({
      role: "assistant",
      content: null,
      tool_calls: [{ index: 0, ...opening, function: called }],
    }),
    choice({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
    choice({}, "tool_calls"),
    { choices: [], usage },
  ]
}

/**
 * @param {object} delta
 * @param {string | null} finish
 */
function choice(delta, finish = null) {
  return { choices: [{ index: 0, delta, finish_reason: finish }] }
}
