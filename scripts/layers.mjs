// Checks the layers of `.dependency-cruiser.mjs`, and that the cruiser was not blind when it did:
// without a compiler API it sees almost no TypeScript module and calls that clean.
import { globSync } from "node:fs"
import { cruise } from "dependency-cruiser"
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options"
import extractTypeScript from "dependency-cruiser/config-utl/extract-ts-config"
import { runScript } from "./support/problem.mjs"

/** What the tree has had: raised as it grows, so that a tree half seen does not pass. */
const fewestModules = 450
const fewestCrossings = 370

await runScript(async () => {
  const { violations, modules } = await look()
  const seen = new Set(modules.map(each => each.source))
  const files = globSync("{packages,plugins}/*/src/**/*.ts").map(file => file.replaceAll("\\", "/"))
  const crossings = modules.flatMap(crossingsOf)

  const problems = [
    ...violations.map(each => `${each.rule.name}: ${each.from} -> ${each.to}`),
    ...files.filter(file => !seen.has(file)).map(file => `not seen: ${file}`),
    ...atLeast(fewestModules, files.length, "modules"),
    ...atLeast(fewestCrossings, crossings.length, "imports between packages"),
  ]
  for (const line of problems) process.stderr.write(`layers: ${line}\n`)
  process.stdout.write(
    `layers: ${files.length} modules, ${crossings.length} imports between packages, ${problems.length} problems\n`,
  )
  return problems.length === 0 ? 0 : 1
})

async function look() {
  const options = await extractOptions("./.dependency-cruiser.mjs")
  const tsConfig = extractTypeScript("tsconfig.base.json")
  const report = await cruise(
    ["packages", "plugins"],
    { ...options, outputType: "json" },
    undefined,
    { tsConfig },
  )

  const { modules, summary } = JSON.parse(String(report.output))
  return {
    modules: /** @type {{ source: string, dependencies: { resolved: string }[] }[]} */ (modules),
    violations: /** @type {{ rule: { name: string }, from: string, to: string }[]} */ (
      summary.violations
    ),
  }
}

/** @param {{ source: string, dependencies: { resolved: string }[] }} module */
function crossingsOf({ source, dependencies }) {
  const own = ownerOf(source)
  return dependencies.filter(({ resolved }) => {
    const other = ownerOf(resolved)
    return own && other && other !== own
  })
}

/** @param {string} file */
function ownerOf(file) {
  return /^((?:packages|plugins)\/[^/]+)\/src\//.exec(file)?.[1]
}

/**
 * @param {number} fewest
 * @param {number} found
 * @param {string} what
 */
function atLeast(fewest, found, what) {
  return found >= fewest ? [] : [`only ${found} ${what} seen, at least ${fewest} are there`]
}
