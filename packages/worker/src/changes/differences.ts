import { slices } from "./slices.ts"
import { absoluteOf, type FileStat, isSame, isSettled, type Snapshot, statOf } from "./snapshot.ts"

/** A file that is not as it was: made (no `before`), removed (no `after`) or changed. */
export type Difference = {
  path: string
  before: FileStat | undefined
  after: FileStat | undefined
}

/**
 * What two looks at the same tree differ in, by path. A file that only one of them could see is no
 * difference: a look may have been cut short, or a folder is ignored now and was not before. One that
 * looks the same may be among them, when it changed right before the first look.
 */
export function differences(
  root: string,
  before: Snapshot,
  after: Snapshot,
): Promise<Difference[]> {
  return between(before.files, after.files, {
    // Whoever reads them finds out.
    isSuspect: stat => !isSettled(stat, before.takenAtMs),
    isNew: path => wasAbsent(path, before),
    isGone: path => statOf(absoluteOf(root, path)) === undefined,
  })
}

/** The same of the control files in `.git` folders: what is there is always seen. */
export function controlDifferences(
  root: string,
  before: Snapshot,
  after: Snapshot,
): Promise<Difference[]> {
  return between(before.inside, after.inside, {
    isSuspect: () => false,
    isNew: () => before.complete,
    isGone: path => statOf(absoluteOf(root, path)) === undefined,
  })
}

async function between(
  before: ReadonlyMap<string, FileStat>,
  after: ReadonlyMap<string, FileStat>,
  {
    isSuspect,
    isNew,
    isGone,
  }: {
    isSuspect(stat: FileStat): boolean
    isNew(path: string): boolean
    isGone(path: string): boolean
  },
): Promise<Difference[]> {
  const found: Difference[] = []
  const turns = slices()
  for (const [path, stat] of after) {
    if (turns.due()) await turns.next()
    const old = before.get(path)
    if (old === undefined ? isNew(path) : !isSame(old, stat) || isSuspect(old)) {
      found.push({ path, before: old, after: stat })
    }
  }
  for (const [path, stat] of before) {
    if (turns.due()) await turns.next()
    if (!after.has(path) && isGone(path)) found.push({ path, before: stat, after: undefined })
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** The nearest folder that was there tells: all its files were seen, or it was only passed by. */
function wasAbsent(path: string, { folders }: Snapshot): boolean {
  let folder = path
  do {
    folder = folder.slice(0, Math.max(folder.lastIndexOf("/"), 0))
    const listed = folders.get(folder)
    if (listed !== undefined) return listed
  } while (folder !== "")
  return false
}
