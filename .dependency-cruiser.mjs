import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const withSandbox = ["packages/protocol", "packages/sdk", "packages/sandbox"]
const withModels = ["packages/protocol", "packages/sdk", "packages/models"]
const packageLike = ["packages/protocol", "packages/sdk"]

/** Whom each layer may import, besides itself. Only the composition roots, cli and host, are free. */
const layers = [
  { name: "protocol", path: "packages/protocol", mayImport: [] },
  { name: "sdk", path: "packages/sdk", mayImport: ["packages/protocol"] },
  { name: "kernel", path: "packages/kernel", mayImport: packageLike },
  { name: "models", path: "packages/models", mayImport: packageLike },
  { name: "sandbox", path: "packages/sandbox", mayImport: packageLike },
  { name: "worker", path: "packages/worker", mayImport: withSandbox },
  { name: "programs", path: "packages/programs-[^/]+", mayImport: withSandbox },
  { name: "kinds", path: "packages/(?:workspace|browser|desktop)", mayImport: packageLike },
  { name: "providers", path: "plugins/provider-[^/]+", mayImport: withModels },
  { name: "plugins", path: "plugins/(?!provider-)[^/]+", mayImport: packageLike },
  { name: "client", path: "packages/client", mayImport: ["packages/protocol"] },
  { name: "web", path: "packages/web", mayImport: ["packages/protocol", "packages/client"] },
  {
    name: "host",
    path: "packages/host",
    mayImport: ["packages/(?!cli/|web/)[^/]+", "plugins/[^/]+"],
  },
]

const ownModules = "^(?:packages|plugins)/"
const insidePackage = "^((?:packages|plugins)/[^/]+)/src/"

/** What the packages' manifests export, and nothing else, is theirs to use. */
const publicEntries = globSync("{packages,plugins}/*/package.json").flatMap(file => {
  const { exports = {} } = JSON.parse(readFileSync(file, "utf8"))
  return Object.values(exports).map(target => {
    const source = join(dirname(file), target["@harness/source"]).replaceAll("\\", "/")
    return `^${source.replaceAll(".", "[.]")}$`
  })
})

export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "types may refer to each other; what is loaded may not",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "resolvable",
      severity: "error",
      from: { path: insidePackage },
      to: { couldNotResolve: true },
    },
    {
      name: "no-reaching-inside",
      comment: "a package is used by its public entries only",
      severity: "error",
      from: { path: insidePackage },
      to: { path: `${ownModules}(?!$1/)[^/]+/`, pathNot: ["^$1/", ...publicEntries] },
    },
    {
      name: "kinds-touch-nothing",
      comment: "files, processes and outputs are handed to a kind by the worker",
      severity: "error",
      from: { path: "^packages/(?:workspace|browser|desktop)/src/" },
      to: {
        dependencyTypes: ["core"],
        path: "^(?:node:)?(?:fs|child_process|net|http|https)(?:/|$)",
      },
    },
    {
      name: "testing-is-for-tests",
      severity: "error",
      from: { path: insidePackage, pathNot: "^packages/sdk/src/testing/" },
      to: { path: "^packages/sdk/src/testing/" },
    },
    ...layers.map(({ name, path, mayImport }) => ({
      name: `layer-of-${name}`,
      comment: `may import ${mayImport.join(", ") || "no other package"}`,
      severity: "error",
      from: { path: `^(${path})/src/` },
      to: { path: ownModules, pathNot: ["^$1/", ...mayImport.map(each => `^${each}/`)] },
    })),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/|[.]config[.]ts$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@harness/source", "types", "import", "node", "default"],
      extensions: [".ts", ".mjs", ".js", ".json"],
    },
  },
}
