import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { errnoOf } from "../config/errno.ts"

/** Something that lies in a conversation's folder and is no folder. */
export type KeptEntry = {
  /** Relative to the conversation's folder, with `/`. */
  place: string
  type: "file" | "other"
  bytes: number
}

/** Everything below a conversation's folder, by place. Links are not followed. */
export function inventoryOf(folder: string, below = ""): KeptEntry[] {
  return namesIn(join(folder, below)).flatMap(name => {
    const place = below === "" ? name : `${below}/${name}`
    const stats = lstatSync(join(folder, place), { throwIfNoEntry: false })
    if (stats === undefined) return []
    if (stats.isDirectory()) return inventoryOf(folder, place)
    return [
      { place, type: stats.isFile() ? ("file" as const) : ("other" as const), bytes: stats.size },
    ]
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return []
    throw error
  }
}

/** True for what a conversation keeps beside its artifacts: the log and what belongs to it. */
export function isOfTheLog(place: string): boolean {
  return /^(log\.jsonl|head\.json|places\.json|lock-\d+-(free|\d+-\d+))$/.test(place)
}
