// How a recording is written down: readable here, JSON lines where provider-replay reads it.

/**
 * @typedef {{ action: string, status: string, exit_code?: number }} Outcome
 * @typedef {{ status: string, actions?: Outcome[] }} Expected how the result before a message ended
 * @typedef {{ say: string, program?: string, after?: Expected, tokens: [number, number, number] }} Message
 *   `tokens`: in, of these from the cache, out
 */

/**
 * The text of a recording.jsonl: a header, then a line for each message.
 *
 * @param {Message[]} messages
 */
export function recording(messages) {
  const header = {
    recording: 1,
    model: "recorded-engineer",
    price: { input: 3, output: 15, cached_input: 0.3 },
  }
  const lines = [header, ...messages.map(lineOf)]
  return lines.map(line => `${JSON.stringify(line)}\n`).join("")
}

/** @param {string} action */
export function ok(action) {
  return { action, status: "ok" }
}

/** @param {number} exitCode */
export function ran(exitCode) {
  return { action: "run_command", status: "ok", exit_code: exitCode }
}

/**
 * @param {Message} message
 * @param {number} index
 */
function lineOf({ say, program, after, tokens: [input, cached, output] }, index) {
  const text = { type: "text", text: say }
  const call = program === undefined ? [] : [callOf(program, index + 1)]

  return {
    expect: after === undefined ? [] : [after],
    message: { role: "assistant", content: [text, ...call] },
    usage: {
      input_tokens: input,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_tokens: null,
    },
    finish: program === undefined ? "stop" : "tool_calls",
    delay_ms: 120,
  }
}

/**
 * @param {string} source
 * @param {number} number
 */
function callOf(source, number) {
  return {
    type: "call",
    id: `program-${number}`,
    tool: "run_program",
    arguments: JSON.stringify({ language: "python", source }),
  }
}
