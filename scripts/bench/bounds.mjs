/**
 * What a figure must keep to.
 *
 * - `times`: that many times the floor.
 * - `atMost`: an absolute size.
 * - `atMost` with `paceTimes`: a time, or that many times the floor's when this is more. It says the
 *   same on the machine that the time was chosen on, and a slower machine breaks nothing by being
 *   slow: it is told as `slow`.
 *
 * @typedef {{ label: string, unit: keyof typeof units, times?: number, atMost?: number, paceTimes?: number }} Bound
 * @typedef {"ok" | "slow" | "over" | "not measured" | "-"} Verdict
 */

const units = { ms: 1, MiB: 1_048_576, bytes: 1, "": 1 }

/**
 * The paces are the times over what the floor takes on the machine that they were chosen on, when it
 * is at rest: 3.2 ms and 4.2 ms of CPU a step, 9.3 ms to the exit, 0.63 ms for a read.
 */
const bounds = /** @type {Record<string, Bound>} */ ({
  version: { label: "--version (floor: node -e 0)", unit: "ms", times: 1.6 },
  help: { label: "--help (floor: node -e 0)", unit: "ms", times: 2 },
  first_request: { label: "spawn to first request", unit: "ms", times: 4 },
  start_cpu: { label: "CPU until the first request", unit: "ms" },
  gap: { label: "response to next request", unit: "ms", atMost: 8, paceTimes: 2.5 },
  late_gap: { label: "  last 10 of 200 steps (floor: first 10)", unit: "ms", times: 1.15 },
  step_cpu: { label: "CPU of all processes, a step", unit: "ms", atMost: 11, paceTimes: 2.6 },
  exit: { label: "last response to exit", unit: "ms", atMost: 40, paceTimes: 4.3 },
  interrupt: { label: "Ctrl-C in a wait to exit", unit: "ms", atMost: 200 },
  first_prompt: { label: "start to a prompt (floor: node -e 0)", unit: "ms", times: 12 },
  first_bytes: { label: "first request", unit: "bytes", atMost: 6_000 },
  growth: { label: "growth of the request, a step", unit: "bytes", atMost: 300 },
  stray: { label: "stray processes", unit: "", atMost: 0 },
  temporary: { label: "temporary files left", unit: "", atMost: 0 },
  lookups: { label: "look-ups of host names", unit: "", atMost: 0 },
  memory_25: { label: "peak PSS, 25 steps", unit: "MiB", atMost: 100 },
  memory_100: { label: "peak PSS, 100 steps", unit: "MiB", atMost: 100 },
  memory_growth: { label: "  100 steps (floor: ours, 25)", unit: "MiB", times: 1.15 },
  programs_first_bytes: { label: "programs: first request", unit: "bytes", atMost: 9_000 },
  programs_memory: { label: "programs: peak PSS, 25 steps", unit: "MiB", atMost: 240 },
  programs_stray: { label: "programs: strays and temporary files", unit: "", atMost: 0 },
  read_p50: { label: "programs: 64 KB read_file, p50", unit: "ms", atMost: 1, paceTimes: 1.6 },
  sandbox_command: {
    label: "sandbox: command over --sandbox off",
    unit: "ms",
    atMost: 8,
    paceTimes: 3,
  },
  sandbox_parallel: {
    label: "sandbox: 16 commands in parallel",
    unit: "ms",
    atMost: 400,
    paceTimes: 4,
  },
  sandbox_gap: {
    label: "sandbox: response to next request",
    unit: "ms",
    atMost: 15,
    paceTimes: 4.7,
  },
  read_p95: { label: "programs: 64 KB read_file, p95", unit: "ms" },
  command: { label: "a command, over a bare spawn", unit: "ms", atMost: 5, paceTimes: 1.2 },
  flood: { label: "a command that prints 1 GiB", unit: "ms", atMost: 3_000 },
  floods: { label: "  sixteen of them at once", unit: "ms", atMost: 3_000 },
})

/**
 * @param {string} name
 * @param {import("./measures.mjs").Figure} figure in milliseconds, bytes or a count
 * @returns {{ name: string, label: string, value: string, floor: string, ratio: string, bound: string, verdict: Verdict }}
 */
export function judge(name, { value, floor = Number.NaN }) {
  const bound = bounds[name]
  if (bound === undefined) throw new Error(`${name} has no bound`)

  const shown = (/** @type {number} */ number) => withUnit(number, bound.unit)
  return {
    name,
    label: bound.label,
    value: shown(value),
    floor: shown(floor),
    ratio: Number.isFinite(floor) ? (value / floor).toFixed(2) : "",
    bound: inWords(bound),
    verdict: verdictOn(bound, value, floor),
  }
}

/**
 * @param {Bound} bound
 * @param {number} value
 * @param {number} floor
 * @returns {Verdict}
 */
function verdictOn({ unit, times, atMost, paceTimes = 0 }, value, floor) {
  if (!Number.isFinite(value)) return "not measured"
  if (times !== undefined) return value <= times * floor ? "ok" : "over"
  if (atMost === undefined) return "-"
  if (value <= atMost * units[unit]) return "ok"
  return value <= paceTimes * floor ? "slow" : "over"
}

/** @param {Bound} bound */
function inWords({ unit, times, atMost, paceTimes }) {
  if (times !== undefined) return `${times} x floor`
  if (atMost === undefined) return ""
  const size = `${atMost.toLocaleString("en")} ${unit}`.trim()
  return paceTimes === undefined ? size : `${size} or ${paceTimes} x floor`
}

/**
 * @param {number} value
 * @param {Bound["unit"]} unit
 */
function withUnit(value, unit) {
  if (!Number.isFinite(value)) return ""
  const digits = unit === "ms" ? (value < 10 ? 2 : 1) : unit === "MiB" ? 1 : 0
  return `${(value / units[unit]).toFixed(digits)} ${unit}`.trim()
}
