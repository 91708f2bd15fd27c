import { posix } from "node:path"
import type { FileProblem, Files, JsonObject } from "@harness/sdk"
import { nearestNames } from "./text/nearest.ts"

/** The next step for what the file layer refuses; the layer's own message names path and reason. */
const nextSteps: Record<FileProblem["error"], string> = {
  outside_root: "Name a path below the project's root.",
  not_found: "List its folder to see what is there.",
  not_a_file: "Name a regular file, or list the folder.",
  not_a_folder: "Name a folder.",
  invalid_path: "Name a path below the project's root, without NUL.",
  too_large: "Read it in windows of bytes, or search in it.",
  unreadable: "Check the file's permissions.",
  unwritable: "Check the permissions of the file and its folder.",
  control_file: "It makes the host run code. Name it by its real path: then a person can be asked.",
  secret_file: "Its content is a secret. Name it by its real path: then a person can be asked.",
  hidden: "Do without it.",
  evidence_exhausted: "The conversation's evidence is used up: tell the user.",
}

/** A refusal of the file layer as a result, with names like the missing one in its folder. */
export async function refusal(problem: FileProblem, files: Files): Promise<JsonObject> {
  const { error, path } = problem
  const result = { error, path, message: `${problem.message} ${nextSteps[error]}` }
  if (error !== "not_found") return result

  const near = await namesNear(path, files)
  if (near.length === 0) return result
  return { ...result, message: `${problem.message} Near it: ${near.join(", ")}.`, near }
}

async function namesNear(path: string, files: Files): Promise<string[]> {
  const folder = posix.dirname(path)
  const listed = await files.list(folder)
  if (listed.status === "refused") return []

  const names = listed.entries.map(entry => posix.basename(entry.path))
  return nearestNames(names, posix.basename(path)).map(name => posix.join(folder, name))
}
