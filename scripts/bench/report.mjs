import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { availableParallelism, cpus, loadavg } from "node:os"
import { join } from "node:path"
import { run } from "../support/children.mjs"
import { judge } from "./bounds.mjs"

/**
 * One bench, as it is kept.
 *
 * @typedef {{ at: string, commit: string, quick: boolean, machine: object, otherCores: number, figures: Record<string, import("./measures.mjs").Figure>, details: object }} Result
 */

/**
 * Prints the table, with what the last bench of this checkout that measured the same found.
 *
 * @param {Result} result
 * @param {Result["figures"]} before
 * @returns {string[]} the names of the figures that break their bound
 */
export function print(result, before) {
  const judged = Object.entries(result.figures).map(([name, figure]) => {
    const earlier = before[name]
    return { ...judge(name, figure), before: earlier ? judge(name, earlier).value : "" }
  })

  const columns = /** @type {const} */ (["value", "floor", "ratio", "bound", "before", "verdict"])
  const rows = [
    ["what", ...columns],
    ...judged.map(each => [each.label, ...columns.map(column => each[column])]),
  ]
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map(row => row[index]?.length ?? 0)),
  )
  for (const row of rows) {
    const cells = row.map((cell, index) =>
      index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
    )
    process.stdout.write(`${cells.join("  ")}\n`)
  }

  const names = judged.filter(each => each.verdict === "over").map(each => each.name)
  process.stdout.write(
    `bench: ${result.commit}; other programs used ${result.otherCores.toFixed(1)} cores meanwhile (median); ${names.length === 0 ? "every bound holds" : `over: ${names.join(", ")}`}\n`,
  )
  return names
}

/**
 * @param {string} folder
 * @param {Result} result
 * @returns {Promise<string>} the file
 */
export async function keep(folder, result) {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${result.at.replaceAll(/[:.]/g, "-")}-${result.commit}.json`)
  await writeFile(file, `${JSON.stringify(result, null, 1)}\n`)
  return file
}

/**
 * @param {string} folder
 * @returns {Promise<Result["figures"]>} each figure as it was found last
 */
export async function lastKept(folder) {
  const files = (await readdir(folder).catch(() => [])).filter(each => each.endsWith(".json"))
  const figures = {}
  for (const file of files.sort()) {
    Object.assign(figures, JSON.parse(await readFile(join(folder, file), "utf8")).figures)
  }
  return figures
}

/** @param {string} root */
export async function circumstances(root) {
  const git = async (/** @type {string[]} */ ...args) =>
    (await run("git", args, { cwd: root, captured: true })).output.trim()
  const changed = (await git("status", "--porcelain")) === "" ? "" : "-changed"
  return {
    at: new Date().toISOString(),
    commit: `${(await git("rev-parse", "--short", "HEAD")) || "unknown"}${changed}`,
    machine: {
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
      cpu: cpus()[0]?.model ?? "",
      cores: availableParallelism(),
      load: loadavg(),
    },
  }
}
