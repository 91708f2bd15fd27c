import type { Root } from "../files/walk.ts"
import { type Content, readAsSeen } from "./reading.ts"
import { slices } from "./slices.ts"
import { type FileStat, isSame, isSettled, type Snapshot } from "./snapshot.ts"

/** What files hold, read while nothing runs: once a command has changed them it is too late. */
export interface Contents {
  /** The content of the file as it was when `stat` was taken; undefined when it is not known. */
  of(path: string, stat: FileStat): Content | undefined
  /** Reads what is new or other in a snapshot, and forgets what is gone. */
  refresh(snapshot: Snapshot): Promise<void>
  /** Takes over a content that was read already. */
  add(path: string, stat: FileStat, content: Content): void
}

export type ContentsOptions = {
  root: Root
  limits: ContentLimits
  /** True for a file whose content can be had later too. */
  isElsewhere(path: string, stat: FileStat): boolean
  /** Told of what is forgotten: a process that still runs may have found it so. */
  forgotten(path: string, known: KnownContent): void
}

export type ContentLimits = { files: number; fileBytes: number; totalBytes: number }

export type KnownContent = { stat: FileStat; content: Content; settled: boolean }

/** Small files first come, first kept, until the memory for them is full. */
export function rememberedContents(options: ContentsOptions): Contents {
  const { root, limits } = options
  const known = new Map<string, KnownContent>()
  let totalBytes = 0

  return {
    of(path, stat) {
      const found = known.get(path)
      return found !== undefined && isSame(found.stat, stat) ? found.content : undefined
    },

    async refresh({ files, complete }) {
      if (complete) for (const path of known.keys()) if (!files.has(path)) forget(path)

      const turns = slices()
      for (const [path, stat] of files) {
        if (turns.due()) await turns.next()
        const found = known.get(path)
        if (found?.settled && isSame(found.stat, stat)) continue
        forget(path)
        if (!fits(stat.bytes) || options.isElsewhere(path, stat)) continue

        const content = await readAsSeen(root, path, stat)
        if (content !== undefined) add(path, stat, content)
      }
    },

    add,
  }

  function add(path: string, stat: FileStat, content: Content): void {
    forget(path)
    if (!fits(content.bytes.length)) return
    known.set(path, { stat, content, settled: isSettled(stat, Date.now()) })
    totalBytes += content.bytes.length
  }

  function forget(path: string): void {
    const found = known.get(path)
    if (found === undefined) return
    totalBytes -= found.content.bytes.length
    known.delete(path)
    options.forgotten(path, found)
  }

  function fits(bytes: number): boolean {
    return (
      bytes <= limits.fileBytes &&
      totalBytes + bytes <= limits.totalBytes &&
      known.size < limits.files
    )
  }
}
