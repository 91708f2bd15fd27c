import { InvalidArgumentError } from "commander"

/** What a word of the command line must be. Each throws when it is not. */
export function notEmpty(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It is empty.")
  return value
}

/** One more of an option that can be repeated. */
export function paths(value: string, before: readonly string[] = []): string[] {
  return [...before, notEmpty(value)]
}

export function positiveInteger(value: string): number {
  const number = positiveNumber(value)
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError("It is not a whole number.")
  return number
}

export function positiveNumber(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : 0
  if (number <= 0) throw new InvalidArgumentError("It is not a number above 0.")
  return number
}

/** A day: `2026-11-30`. */
export function date(value: string): string {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  if (!isDate) throw new InvalidArgumentError("It is not a date like 2026-11-30.")
  return value
}

/** An age in seconds: `30d`, `12h`; also weeks, minutes and seconds. */
export function age(value: string): number {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(value) ?? []
  const seconds = unit === undefined ? undefined : secondsOf.get(unit)
  if (seconds === undefined) throw new InvalidArgumentError("It is not an age like 30d or 12h.")
  return Number(count) * seconds
}

const secondsOf = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3_600],
  ["d", 86_400],
  ["w", 604_800],
])
