/** Seconds for people: `0.21 s`, `4.3 s`, `1 m 05 s`, `2 h 05 m`. */
export function elapsed(milliseconds: number): string {
  const seconds = milliseconds / 1_000
  if (seconds < 1) return `${seconds.toFixed(2)} s`
  if (seconds < 60) return `${seconds.toFixed(1)} s`

  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} m ${twoDigits(whole % 60)} s`
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0")
}

/** A count with its unit: `1 step`, `1,234 bytes`. */
export function counted(count: number, unit: string, units = `${unit}s`): string {
  return `${grouped(count)} ${count === 1 ? unit : units}`
}

/** Digits in groups of three: `1,234`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** USD; `unknown` when the price is not known, for 0 would be a claim. */
export function dollars(cost: number | null): string {
  if (cost === null) return "unknown"
  return cost === 0 || cost >= 0.0001 ? `$${cost.toFixed(4)}` : "<$0.0001"
}

/** A number of tokens; `unknown` when the provider did not say. */
export function tokens(count: number | null): string {
  return count === null ? "unknown" : grouped(count)
}

/** The beginning of a sha256: enough to find the file by. */
export function shortHash(sha256: string): string {
  return sha256.slice(0, 12)
}
