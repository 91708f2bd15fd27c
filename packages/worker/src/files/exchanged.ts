import { codeOf } from "../thrown.ts"

/** An editor that saves exchanges a file once; who does it all the time is not waited for. */
const TRIES = 20

/** Throws that a file has another one in its place by now, or none: it has to be looked for again. */
export function exchanged(path: string): Error {
  return Object.assign(new Error(`${path} was exchanged`), { code: "ESTALE" })
}

/** Looks again when the file was exchanged while it was looked at. Throws the system's error. */
export async function untilHeld<Result>(look: () => Promise<Result>): Promise<Result> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await look()
    } catch (error) {
      if (codeOf(error) !== "ESTALE" || left === 0) throw error
    }
  }
}
