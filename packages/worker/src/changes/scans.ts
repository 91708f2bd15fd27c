import { realpathSync } from "node:fs"
import type { Containment, ProcessChanges } from "@harness/protocol"
import type { ActionEvidence } from "../evidence/action-evidence.ts"
import type { Root } from "../files/walk.ts"
import { type KnownContent, rememberedContents } from "./contents.ts"
import { controlDifferences, differences } from "./differences.ts"
import { type GitLook, gitOf } from "./git.ts"
import { ignoredFolders } from "./ignored.ts"
import { rememberedListings } from "./listings.ts"
import { absoluteOf, type FileStat, isSame, type Snapshot, takeSnapshot } from "./snapshot.ts"
import { deepControls, hardLinksIn, touchedIn } from "./steering.ts"
import { toldChanges } from "./told.ts"

/** Finds out what the processes of one worker change below the root. */
export interface ChangeScans {
  /** Reads ahead, in a while, what the look before the first process needs. */
  prepare(): void
  /** Looks at the root before the process `id` starts. Never rejects. */
  before(id: string): Promise<ChangeScan>
  /** Whether the repository has uncommitted changes, see {@link GitLook}. Never rejects. */
  isDirty(limitMs: number): Promise<boolean | null>
  /** A file action wrote this: it is no process's change. */
  wrote(path: string, sha256: string): void
}

/** One process between its look before and its look after. */
export interface ChangeScan {
  /** Absolute paths of control files and folders deeper in the root: those of nested repositories. */
  readonly controlled: readonly string[]
  /** Looks again; contents are kept in `evidence` as far as they fit. Called once, or never. */
  after(evidence: ActionEvidence): Promise<ScanEnd>
  /** The process did not start: nothing is its doing. */
  abandon(): void
}

/** What a receipt says of a process's changes. */
export type ScanEnd = {
  changes?: ProcessChanges
} & Pick<Containment, "touched" | "hard_links">

export type ChangeScansOptions = {
  root: Root
  /** Absolute folders that belong to harness, wherever they lie, links and all. */
  skip: readonly string[]
  isSecret(path: string): boolean
}

/** A tree is looked at within these; what is beyond is `truncated` in receipts. */
const LOOK = { entries: 50_000, milliseconds: 2_500 }

/** What is held of files that git does not keep, so that their content before is known. */
const REMEMBERED = { files: 5_000, fileBytes: 262_144, totalBytes: 8 * 1_048_576 }

/** A conversation's start has better things to do, and the model takes longer to ask for a command. */
const PREPARE_MS = 250

type Active = {
  id: string
  /** How the root was when it started; undefined while that is looked at. */
  started: Snapshot | undefined
  /** The look after it is taken: it is only still compared. */
  ended: boolean
  beside: Set<string>
  /** What file actions wrote meanwhile, by path. */
  ours: Map<string, string>
  /** What files held when it started, of those that have changed since. */
  old: Map<string, KnownContent>
}

export function changeScans(options: ChangeScansOptions): ChangeScans {
  const { root, isSecret } = options
  const skip = options.skip.map(realPathOf)
  const active = new Set<Active>()
  const listings = rememberedListings()
  const git = gitOf(root)
  let look: GitLook = git.none
  const ignoring = ignoredFolders(root, folder => look.hasFolder(folder))
  const contents = rememberedContents({
    root,
    limits: REMEMBERED,
    isElsewhere: (path, stat) => look.isClean(path, stat),
    forgotten(path, known) {
      for (const { started, old } of active) {
        const then = started?.files.get(path)
        if (then !== undefined && isSame(then, known.stat)) old.set(path, known)
      }
    },
  })
  const inTurn = turns()
  const lookBefore = shared(inTurn, readyToRun)
  const lookAfter = shared(inTurn, snapshotNow)

  return {
    prepare: () => void setTimeout(() => void lookBefore(), PREPARE_MS).unref(),

    async before(id) {
      const own: Active = {
        id,
        started: undefined,
        ended: false,
        beside: new Set(),
        ours: new Map(),
        old: new Map(),
      }
      for (const other of active) {
        if (other.ended) continue
        other.beside.add(id)
        own.beside.add(other.id)
      }
      active.add(own)
      const { snapshot, gitLook } = await lookBefore()
      own.started = snapshot
      return {
        controlled: deepControls(snapshot).map(path => absoluteOf(root.path, path)),
        abandon: () => void active.delete(own),
        async after(evidence) {
          const now = await lookAfter()
          own.ended = true
          const end = await inTurn(() => compare({ own, snapshot, now, gitLook, evidence }))
          active.delete(own)
          return end
        },
      }
    },

    async isDirty(limitMs) {
      const endsAtMs = performance.now() + limitMs
      try {
        return await (await git.look()).isDirty(endsAtMs)
      } catch {
        // What cannot be read is not known.
        return null
      }
    },

    wrote(path, sha256) {
      for (const { ours } of active) ours.set(path, sha256)
    },
  }

  async function snapshotNow(): Promise<Snapshot> {
    return takeSnapshot({ root: root.path, skip, ignoring, listings, limits: LOOK })
  }

  async function readyToRun() {
    look = await git.look()
    const snapshot = await snapshotNow()
    await contents.refresh(snapshot)
    return { snapshot, gitLook: look }
  }

  async function compare(scan: {
    own: Active
    snapshot: Snapshot
    now: Snapshot
    gitLook: GitLook
    evidence: ActionEvidence
  }): Promise<ScanEnd> {
    const { own, snapshot: before, now, gitLook, evidence } = scan
    const found = await differences(root.path, before, now)
    const contentBefore = async (path: string, stat: FileStat) => {
      const known = own.old.get(path)
      if (known !== undefined && isSame(known.stat, stat)) return known.content
      return contents.of(path, stat) ?? (await gitLook.contentOf(path, stat))
    }
    const { files, same, cut } = await toldChanges(found, {
      evidence,
      contents,
      contentBefore,
      root,
      isSecret,
      ours: own.ours,
    })
    const real = found.filter(({ path }) => !same.has(path))
    const touched = touchedIn([...real, ...(await controlDifferences(root.path, before, now))])
    const hardLinks = hardLinksIn(real, now)
    const truncated = cut || !before.complete || !now.complete
    const beside = [...own.beside]
    return {
      ...((files.length > 0 || truncated) && {
        changes: { files, truncated, ...(beside.length > 0 && { beside }) },
      }),
      ...(touched.length > 0 && { touched }),
      ...(hardLinks.length > 0 && { hard_links: hardLinks }),
    }
  }
}

/** One look at a time: two side by side would read the same files twice. */
function turns() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run)
    last = result.catch(() => undefined)
    return result
  }
}

/** Whoever asks before the look has begun gets the same: it is as fresh as one of their own. */
function shared<Result>(
  inTurn: (run: () => Promise<Result>) => Promise<Result>,
  look: () => Promise<Result>,
): () => Promise<Result> {
  let waiting: Promise<Result> | undefined
  return () => {
    waiting ??= inTurn(() => {
      waiting = undefined
      return look()
    })
    return waiting
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It is not there yet, or never will be.
    return path
  }
}
