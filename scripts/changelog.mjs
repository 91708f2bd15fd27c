// Folds what changesets wrote into the packages' changelogs into the one at the root.
// They share a version; an entry that several packages have is told once, with their names.
import { existsSync } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runScript } from "./support/problem.mjs"

const groups = ["packages", "plugins"]
const title = "# Changelog\n"

/** That one of ours now needs the new version of another one is no news. */
const ownDependency = /^- (?:Updated dependencies|@harness\/)/

await runScript(async () => {
  const root = process.cwd()
  const packages = await packagesWithChangelog(root)
  const file = join(root, "CHANGELOG.md")
  const written = await readFile(file, "utf8").catch(() => title)

  const versions = new Set(packages.map(each => each.version))
  const fresh = [...versions].filter(version => !written.includes(`\n## ${version}\n`))
  const sections = fresh.map(version => sectionOf(version, packages))
  const [head = title, ...older] = written.split(/^(?=## )/m)
  const parts = [head, ...sections, ...older].map(part => part.trimEnd())
  await writeFile(file, `${parts.join("\n\n")}\n`)

  process.stdout.write(`changelog: ${fresh.join(", ") || "nothing new"}\n`)
  return 0
})

/** @param {string} root */
async function packagesWithChangelog(root) {
  const found = []
  for (const group of groups) {
    for (const entry of await readdir(join(root, group)).catch(() => [])) {
      const changelog = join(root, group, entry, "CHANGELOG.md")
      if (!existsSync(changelog)) continue

      const { name, version } = JSON.parse(
        await readFile(join(root, group, entry, "package.json"), "utf8"),
      )
      found.push({ name, version, changelog: await readFile(changelog, "utf8") })
    }
  }
  return found
}

/**
 * @param {string} version
 * @param {{ name: string, changelog: string }[]} packages
 */
function sectionOf(version, packages) {
  const kinds = /** @type {Map<string, Map<string, string[]>>} */ (new Map())
  for (const { name, changelog } of packages) {
    for (const { kind, entry } of entriesOf(version, changelog)) {
      const entries = kinds.get(kind) ?? new Map()
      kinds.set(kind, entries.set(entry, [...(entries.get(entry) ?? []), name]))
    }
  }

  const parts = [...kinds].map(([kind, entries]) => {
    const lines = [...entries].map(([entry, names]) => `${entry} (${names.join(", ")})`)
    return `### ${kind}\n\n${lines.join("\n")}\n`
  })
  return [`## ${version}\n`, ...parts].join("\n")
}

/**
 * @param {string} version
 * @param {string} changelog
 */
function entriesOf(version, changelog) {
  const section = changelog.split(/^(?=## )/m).find(each => each.startsWith(`## ${version}\n`))
  const kinds = (section ?? "").split(/^### /m).slice(1)

  return kinds.flatMap(text => {
    const [kind = "", ...lines] = text.split("\n")
    const entries = lines.join("\n").split(/^(?=- )/m)
    return entries
      .map(entry => entry.trim())
      .filter(entry => entry !== "" && !ownDependency.test(entry))
      .map(entry => ({ kind, entry }))
  })
}
