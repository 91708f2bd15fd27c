import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type ProcessTable, processTable } from "../conversation/process-table.ts"

/** The folder of a conversation that was deleted, until it is removed. */
export function deletedFolder(id: string): string {
  return `.deleted-${id}`
}

/** The folder in which a process makes a fork, until it is whole. */
export function forkingFolder(id: string, pid: number): string {
  return `.forking-${pid}-${id}`
}

/** A folder beside the conversations that nobody needs any more. */
export type Unfinished = { id: string; folder: string }

/** What crashes left below a home of conversations that were being deleted or forked. */
export function unfinishedIn(home: string, processes: ProcessTable = processTable()): Unfinished[] {
  const projects = join(home, "projects")
  return namesIn(projects).flatMap(key =>
    namesIn(join(projects, key)).flatMap(name => {
      const form = /^\.(?:deleted|forking-(\d+))-(\w+)$/.exec(name)
      const [, pid, id] = form ?? []
      if (id === undefined) return []
      if (pid !== undefined && processes.startOf(Number(pid)) !== null) return []
      return [{ id, folder: join(projects, key, name) }]
    }),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
