import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { failure } from "@harness/protocol"
import * as z from "zod"
import { inWords } from "../config/errno.ts"
import { createPlaceholders, type Placeholders, type Places } from "./placeholders.ts"

const Folders = { root: z.string(), home: z.string(), temp: z.string() }

const PlacesFile = z.strictObject({
  ...Folders,
  /** What they stood for before, each up to the record `until`. */
  earlier: z.array(z.strictObject({ ...Folders, until: z.int().nonnegative() })).optional(),
})

/** What the placeholders of a log stand for on this machine, and what they stood for before. */
export type KeptPlaces = z.infer<typeof PlacesFile>

/**
 * Writes down what the placeholders of a log stand for on this machine. It lies beside the log, which
 * names no folder, and goes for nothing on another machine. Throws `log_unwritable`.
 */
export function keepPlaces(file: string, { root, home, temp }: Places): void {
  write(file, { root, home, temp })
}

/**
 * From the record after `records` on the placeholders stand for these folders: a conversation that
 * is resumed has another temporary folder, and perhaps another root. What lies beside the log was
 * written with the earlier ones and is compared with those. Throws `log_unwritable`.
 */
export function movePlaces(file: string, places: Places, records: number): void {
  const { root, home, temp } = places
  const before = readPlaces(file)
  const { earlier = [], ...last } = before ?? { ...places }
  const isSame = last.root === root && last.home === home && last.temp === temp
  if (before !== null && isSame) return
  const past = before === null ? [] : [...earlier, { ...last, until: records }]
  write(file, { root, home, temp, ...(past.length > 0 && { earlier: past }) })
}

/** Writes down those of a copy, the earlier ones too. Throws `log_unwritable`. */
export function keepPlacesWhole(file: string, places: KeptPlaces): void {
  write(file, places)
}

/** Null when there are none, or they cannot be read. */
export function readPlaces(file: string): KeptPlaces | null {
  try {
    return PlacesFile.safeParse(JSON.parse(readFileSync(file, "utf8"))).data ?? null
  } catch {
    return null
  }
}

/** The placeholders by which a record was written. Records count from 1. */
export type PlaceholdersAt = (record: number) => Placeholders

export function placeholdersAt({ earlier = [], ...places }: KeptPlaces): PlaceholdersAt {
  const now = createPlaceholders(places)
  const before = earlier.map(({ until, ...past }) => {
    return { until, placeholders: createPlaceholders(past) }
  })
  return record => before.find(({ until }) => record <= until)?.placeholders ?? now
}

/** In one step: on a full disk what was there stays. */
function write(file: string, content: KeptPlaces): void {
  const draft = `${file}.new`
  try {
    writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw failure("log_unwritable", { file, reason: inWords(error) }, { cause: error })
  }
}
