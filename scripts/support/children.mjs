import { spawn } from "node:child_process"
import { constants } from "node:os"

/**
 * Runs a command to its end. `captured` keeps what it printed, else it prints to our own streams.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, captured?: boolean, shell?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>} code 127 when the command does not exist
 */
export function run(command, args, options = {}) {
  const { captured = false, ...rest } = options

  return new Promise(resolve => {
    const stdio = captured ? ["ignore", "pipe", "pipe"] : "inherit"
    const child = spawn(command, args, { ...rest, stdio: /** @type {"inherit"} */ (stdio) })
    const chunks = /** @type {Buffer[]} */ ([])
    child.stdout?.on("data", chunk => chunks.push(chunk))
    child.stderr?.on("data", chunk => chunks.push(chunk))

    const end = (/** @type {number} */ code) =>
      resolve({ code, output: Buffer.concat(chunks).toString("utf8") })
    child.on("error", () => end(127))
    child.on("close", (code, signal) => end(code ?? 128 + signalNumber(signal)))
  })
}

/**
 * Runs a command in our place: it has our streams, gets our signals, and we end as it ended, by
 * the same signal if a signal ended it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>} the exit code
 */
export async function runInOurPlace(command, args, options = {}) {
  const child = spawn(command, args, { ...options, stdio: "inherit" })
  // A terminal sends these two to the whole foreground group: the child has them already.
  const fromTerminal = process.stdin.isTTY ? ["SIGINT", "SIGHUP"] : []
  const forwarders = forwardedSignals.map(signal => {
    const forward = () => void (fromTerminal.includes(signal) || child.kill(signal))
    process.on(signal, forward)
    return () => process.off(signal, forward)
  })

  const ending = await new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => resolve({ code, signal }))
  })
  for (const stop of forwarders) stop()

  if (ending.signal) process.kill(process.pid, ending.signal)
  return ending.code ?? 128 + signalNumber(ending.signal)
}

const forwardedSignals = /** @type {NodeJS.Signals[]} */ (["SIGINT", "SIGTERM", "SIGHUP"])

/** @param {NodeJS.Signals | null} signal */
function signalNumber(signal) {
  return signal ? constants.signals[signal] : 0
}
