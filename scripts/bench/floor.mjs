// The physical floor: fetch and spawn in a loop, nothing kept, nothing checked. What harness adds to
// it is what harness costs on this machine.
import { spawn } from "node:child_process"

const bash = {
  name: "bash",
  description: "Run a command line",
  parameters: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
  },
}

/** @type {object[]} */
const messages = [
  { role: "system", content: "You are a helpful agent." },
  { role: "user", content: process.argv[2] ?? "" },
]

for (;;) {
  const { text, calls } = await reply()
  if (calls.length === 0) {
    process.stdout.write(`${text}\n`)
    break
  }

  messages.push({ role: "assistant", content: null, tool_calls: calls })
  for (const { id, function: called } of calls) {
    const content = await output(JSON.parse(called.arguments).command)
    messages.push({ role: "tool", tool_call_id: id, content })
  }
}

/** @typedef {{ id: string, type: string, function: { name: string, arguments: string } }} Call */

async function reply() {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${process.env.OPENAI_API_KEY}`,
    },
    body: JSON.stringify({
      model: "scripted",
      stream: true,
      messages,
      tools: [{ type: "function", function: bash }],
    }),
  })
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)

  let text = ""
  const calls = /** @type {Call[]} */ ([])
  for await (const { content = "", tool_calls: parts = [] } of deltas(response.body)) {
    text += content ?? ""
    for (const part of parts) {
      calls[part.index] ??= { id: part.id, type: "function", function: { name: "", arguments: "" } }
      const called = calls[part.index]?.function
      if (called) called.name += part.function.name ?? ""
      if (called) called.arguments += part.function.arguments ?? ""
    }
  }
  return { text, calls }
}

/** @param {AsyncIterable<Uint8Array>} body */
async function* deltas(body) {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n")
    rest = events.pop() ?? ""
    for (const event of events) {
      if (event === "data: [DONE]") return
      const delta = JSON.parse(event.slice("data: ".length)).choices[0]?.delta
      if (delta) yield delta
    }
  }
}

/**
 * @param {string} command
 * @returns {Promise<string>}
 */
function output(command) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    child.stdout.on("data", chunk => (text += chunk))
    child.stderr.on("data", chunk => (text += chunk))
    child.on("error", reject)
    child.on("close", () => resolve(text))
  })
}
