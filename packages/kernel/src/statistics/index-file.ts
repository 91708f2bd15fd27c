import { hash } from "node:crypto"
import { closeSync, openSync, rmSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import * as z from "zod"
import { Summary } from "./summary.ts"

/** A conversation as the index has it. */
export type Indexed = {
  project: string
  conversation: string
  /** Of the log that the summary was made from: with another one it does not count. */
  state: string
  summary: Summary
}

/**
 * `index.db`: summaries of conversations, so that what did not change is not read again. A cache: it
 * is made from the logs, and without it everything is the same, only later. Nothing here throws.
 */
export interface ConversationIndex {
  /** What it holds. A row that is not as it was written is left out. */
  load(): Indexed[]
  /** In one step; where it cannot be written nothing changes. */
  save(changed: readonly Indexed[], gone: readonly Omit<Indexed, "summary" | "state">[]): void
  close(): void
}

/** Raised when summaries are made in another way, or the table has another form. */
const version = 2

/** A row can be asked for by itself: `harness conversations list` needs no more than the columns. */
const schema = `
  DROP TABLE IF EXISTS conversations;
  CREATE TABLE conversations (
    project TEXT NOT NULL,
    conversation TEXT NOT NULL,
    state TEXT NOT NULL,
    model TEXT,
    title TEXT,
    started_at TEXT,
    last_at TEXT,
    turns INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    cost REAL NOT NULL,
    steps_without_cost INTEGER NOT NULL,
    ending TEXT,
    log TEXT NOT NULL,
    fault TEXT,
    spending TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (project, conversation)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${version};`

/**
 * Opens the index, or makes it anew where it is missing, damaged or of another version. Null where
 * that cannot be: the home is read-only, the disk is full, another process holds it for too long.
 */
export async function openIndex(file: string): Promise<ConversationIndex | null> {
  const sqlite = await import("node:sqlite").catch(() => null)
  // A Node that was built without it.
  if (sqlite === null) return null

  const open = () => opened(file, path => new sqlite.DatabaseSync(path, { timeout: busyMs }))
  try {
    return open()
  } catch (error) {
    if (!isDamaged(error)) return null
  }
  try {
    remove(file)
    return open()
  } catch {
    return null
  }
}

/** A process that has it open goes on with what it has; the next one makes it anew. */
function remove(file: string): void {
  for (const part of ["-wal", "-shm", ""]) rmSync(`${file}${part}`, { force: true })
}

/** How long another process may write. */
const busyMs = 2_000

function opened(file: string, open: (file: string) => DatabaseSync): ConversationIndex {
  // For its owner alone: SQLite gives the files beside it the same mode.
  closeSync(openSync(file, "a", 0o600))
  const database = open(file)
  try {
    prepare(database)
    // Read here, so that what is damaged is found while it can be made anew.
    const rows = database.prepare(`SELECT ${columns.join(", ")} FROM conversations`).all()
    return indexOver(database, { file, rows })
  } catch (error) {
    database.close()
    throw error
  }
}

function prepare(database: DatabaseSync): void {
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
  if (versionOf(database) === version) return
  inOneStep(database, () => {
    // Another process may have done it meanwhile.
    if (versionOf(database) !== version) database.exec(schema)
  })
}

function versionOf(database: DatabaseSync): number {
  return Version.parse(database.prepare("PRAGMA user_version").get()).user_version
}

const Version = z.object({ user_version: z.int() })

function indexOver(
  database: DatabaseSync,
  { file, rows }: { file: string; rows: readonly unknown[] },
): ConversationIndex {
  let damaged = false

  return {
    load: () => rows.flatMap(row => indexedOf(row) ?? []),

    save(changed, gone) {
      try {
        const put = database.prepare(
          `INSERT OR REPLACE INTO conversations VALUES (${columns.map(name => `:${name}`).join(", ")})`,
        )
        const drop = database.prepare(
          "DELETE FROM conversations WHERE project = ? AND conversation = ?",
        )
        inOneStep(database, () => {
          for (const indexed of changed) put.run(rowOf(indexed))
          for (const { project, conversation } of gone) drop.run(project, conversation)
        })
      } catch (error) {
        // A full disk, a home that became read-only: the next one reads the logs again.
        damaged = isDamaged(error)
      }
    },

    close() {
      try {
        database.close()
        if (damaged) remove(file)
      } catch {
        // What was written is on the disk, or it will be made again.
      }
    },
  }
}

function inOneStep(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE")
  try {
    work()
    database.exec("COMMIT")
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK")
    throw error
  }
}

const Row = z.object({
  project: z.string(),
  conversation: z.string(),
  state: z.string(),
  ...Summary.omit({ ending: true, spending: true }).shape,
  ending: z.string().nullable(),
  spending: z.string(),
  sha256: z.string(),
})
type Row = z.infer<typeof Row>

/** In the table's order. */
const columns = [
  "project",
  "conversation",
  "state",
  "model",
  "title",
  "started_at",
  "last_at",
  "turns",
  "steps",
  "cost",
  "steps_without_cost",
  "ending",
  "log",
  "fault",
  "spending",
  "sha256",
] as const satisfies readonly (keyof Row)[]

function rowOf({ summary, ...place }: Indexed): Row {
  const row = {
    ...place,
    ...summary,
    ending: summary.ending && JSON.stringify(summary.ending),
    spending: JSON.stringify(summary.spending),
  }
  return { ...row, sha256: sumOf(row) }
}

/** Null when it is not what was written: SQLite does not notice a bit that turned within a value. */
function indexedOf(found: unknown): Indexed | null {
  const row = Row.safeParse(found).data
  if (row === undefined || sumOf(row) !== row.sha256) return null
  const { project, conversation, state, sha256: _, ending, spending, ...rest } = row
  const summary = Summary.safeParse({
    ...rest,
    ending: ending === null ? null : JSON.parse(ending),
    spending: JSON.parse(spending),
  }).data
  return summary === undefined ? null : { project, conversation, state, summary }
}

function sumOf(row: Omit<Row, "sha256">): string {
  const values = columns.flatMap(name => (name === "sha256" ? [] : [row[name]]))
  return hash("sha256", JSON.stringify(values))
}

/** SQLITE_CORRUPT, SQLITE_NOTADB, and a table that is not the one of this version. */
function isDamaged(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false
  if (!("errcode" in error) || typeof error.errcode !== "number") return false
  // The rest says more of the same.
  const code = error.errcode & 0xff
  return code === corrupt || code === notADatabase || code === generic
}

const generic = 1
const corrupt = 11
const notADatabase = 26
