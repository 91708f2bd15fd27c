import { join } from "node:path"
import { findRepository, type Repository, textOf } from "./repository.ts"

/**
 * The commit that HEAD names, read from git's files: null when the branch has no commit yet, or the
 * refs are kept in a form that is not files. Null instead of an object: there is no repository.
 *
 * @example
 * readHead("/home/jo/shop") // { head: "4b825dc642cb6eb9a060e54bf8d69288fbee4904" }
 */
export function readHead(folder: string): { head: string | null } | null {
  const repository = findRepository(folder)
  return repository && { head: commitOf("HEAD", repository) }
}

function commitOf(name: string, repository: Repository): string | null {
  let ref = name
  for (let follows = 0; follows <= mostFollows; follows += 1) {
    const text = looseRef(ref, repository) ?? packedRef(ref, repository)
    if (text === null || commitForm.test(text)) return text

    const target = /^ref: *(refs\/.+)$/.exec(text)?.[1]
    if (target === undefined || target.split("/").includes("..")) return null
    ref = target
  }
  return null
}

/** As deep as git itself follows one name to another. */
const mostFollows = 5

/** A SHA-1 or SHA-256. */
const commitForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

function looseRef(ref: string, { gitFolder, commonFolder }: Repository): string | null {
  const text = textOf(join(gitFolder, ref)) ?? textOf(join(commonFolder, ref))
  return text === null ? null : text.trim()
}

function packedRef(ref: string, { commonFolder }: Repository): string | null {
  const packed = textOf(join(commonFolder, "packed-refs")) ?? ""
  for (const line of packed.split("\n")) {
    const space = line.indexOf(" ")
    if (space > 0 && line.slice(space + 1).trimEnd() === ref) return line.slice(0, space)
  }
  return null
}
