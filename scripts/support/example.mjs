import { existsSync } from "node:fs"
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "./children.mjs"
import { installPinned } from "./npm.mjs"
import { problem } from "./problem.mjs"

/**
 * @typedef {{ folder: string } | { package: string, integrity: string }} Source a folder beside
 *   example.json, or a published package as `name@version`
 * @typedef {{ name: string, folder: string, task: string, verify: string, showBug?: string,
 *   recording: string, source: Source }} Example
 */

/**
 * Reads examples/<name>/example.json. In its commands `{example}` stands for that folder.
 *
 * @param {string} examples
 * @param {string} name
 * @returns {Promise<Example>}
 */
export async function loadExample(examples, name) {
  const folder = join(examples, name)
  const file = join(folder, "example.json")
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) {
    throw problem(
      `there is no example \`${name}\`; there are: ${(await namesIn(examples)).join(", ")}`,
    )
  }

  const { task, verify, show_bug: showBug, source } = JSON.parse(await readFile(file, "utf8"))
  const located = (/** @type {string} */ command) =>
    command.replaceAll("{example}", shellWord(folder))
  return {
    name,
    folder,
    task,
    verify: located(verify),
    ...(showBug ? { showBug: located(showBug) } : {}),
    recording: join(folder, "recording.jsonl"),
    source,
  }
}

/**
 * Puts the example's project into a fresh temporary folder, with a history where there is git.
 *
 * @param {Example} example
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the folder; it stays, for the changes in it are the job's result
 */
export async function projectCopy({ name, folder, source }, say) {
  const copy = await mkdtemp(join(tmpdir(), `harness-${name}-`))

  if ("folder" in source) await cp(join(folder, source.folder), copy, { recursive: true })
  else await unpackInto(copy, source)

  if (!(await commitAll(copy))) {
    say("git is missing: the copy of the project has no history")
  }
  return copy
}

/**
 * @param {string} copy
 * @param {{ package: string, integrity: string }} source
 */
async function unpackInto(copy, { package: spec, integrity }) {
  const at = spec.lastIndexOf("@")
  const pinned = { name: spec.slice(0, at), version: spec.slice(at + 1), integrity }
  const download = await mkdtemp(join(tmpdir(), "harness-download-"))

  try {
    await cp(await installPinned(download, pinned), copy, { recursive: true })
  } finally {
    await rm(download, { recursive: true, force: true })
  }
}

/** @param {string} folder */
async function commitAll(folder) {
  const author = ["-c", "user.name=harness example", "-c", "user.email=example@invalid"]
  // Whatever the user or the project configures for git: nothing of it runs here.
  const plain = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "commit.gpgsign=false"]
  const own = plain.flatMap(setting => ["-c", setting])
  const steps = [
    ["init", "--quiet", "--template=", "--initial-branch=main"],
    ["add", "--all"],
    [...author, "commit", "--quiet", "--message=The project as it was found"],
  ]

  for (const args of steps) {
    const options = { cwd: folder, captured: true }
    const { code, output } = await run("git", [...own, ...args], options)
    if (code === 127) return false
    if (code !== 0) throw problem(`git ${args.at(-1)} failed in ${folder}: ${output.trim()}`)
  }
  return true
}

/** @param {string} examples */
async function namesIn(examples) {
  const entries = await readdir(examples).catch(() => [])
  return entries.filter(entry => existsSync(join(examples, entry, "example.json")))
}

/** @param {string} text */
function shellWord(text) {
  if (/^[\w./:@-]+$/.test(text)) return text
  return process.platform === "win32" ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`
}
