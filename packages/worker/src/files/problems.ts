import type { FileProblem } from "@harness/sdk"
import { codeOf, messageOf } from "../thrown.ts"

export function refused(error: FileProblem["error"], path: string, message: string): FileProblem {
  return { status: "refused", error, path, message }
}

export function outsideRoot(path: string): FileProblem {
  return refused("outside_root", path, `${path} leads out of the folder.`)
}

export function hidden(path: string): FileProblem {
  const message = `${path} is hidden: it belongs to harness, or holds keys of the user.`
  return refused("hidden", path, message)
}

export function notFound(path: string): FileProblem {
  return refused("not_found", path, `${path} does not exist.`)
}

export function notAFile(path: string): FileProblem {
  return refused("not_a_file", path, `${path} is not a regular file.`)
}

export function notStored(path: string, fileSystem: string): FileProblem {
  return refused("not_a_file", path, `${path} is no file on a disk: it lies on ${fileSystem}.`)
}

/** What the system said, as a value. `otherwise` names what was tried. */
export function fromSystem(
  error: unknown,
  path: string,
  otherwise: "unreadable" | "unwritable",
): FileProblem {
  const code = codeOf(error)
  if (code === "ENOENT") return notFound(path)
  if (code === "ENOTDIR") {
    return refused("not_a_folder", path, `A part of ${path} is not a folder.`)
  }
  if (code === "ENAMETOOLONG") return refused("invalid_path", path, `${path} is too long a name.`)

  const verb = otherwise === "unreadable" ? "read" : "written"
  const reason = code || messageOf(error)
  return refused(otherwise, path, `${path} cannot be ${verb}: ${reason}.`)
}
