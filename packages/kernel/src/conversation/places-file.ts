import { readFileSync, writeFileSync } from "node:fs"
import { failure } from "@harness/protocol"
import * as z from "zod"
import { inWords } from "../config/errno.ts"
import type { Places } from "./placeholders.ts"

const PlacesFile = z.strictObject({ root: z.string(), home: z.string(), temp: z.string() })

/**
 * Writes down what the placeholders of a log stand for on this machine. It lies beside the log, which
 * names no folder, and goes for nothing on another machine. Throws `log_unwritable`.
 */
export function keepPlaces(file: string, { root, home, temp }: Places): void {
  try {
    writeFileSync(file, `${JSON.stringify({ root, home, temp })}\n`, { mode: 0o600 })
  } catch (error) {
    throw failure("log_unwritable", { file, reason: inWords(error) }, { cause: error })
  }
}

/** Null when there are none, or they cannot be read. */
export function readPlaces(file: string): Places | null {
  try {
    return PlacesFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data ?? null
  } catch {
    return null
  }
}
