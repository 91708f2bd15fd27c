// The layers, in words: whom each package may import, besides itself.
const mayImport = {
  "packages/protocol": [],
  "packages/sdk": ["packages/protocol"],
  "packages/kernel": ["packages/protocol", "packages/sdk"],
  "packages/models": ["packages/protocol", "packages/sdk"],
  "packages/sandbox": ["packages/protocol", "packages/sdk"],
  "packages/worker": ["packages/protocol", "packages/sdk", "packages/sandbox"],
  "packages/programs-[^/]+": ["packages/protocol", "packages/sdk", "packages/sandbox"],
  "packages/(?:workspace|browser|desktop)": ["packages/protocol", "packages/sdk"],
  "plugins/(?!provider-)[^/]+": ["packages/protocol", "packages/sdk"],
  "plugins/provider-[^/]+": ["packages/protocol", "packages/sdk", "packages/models"],
  "packages/client": ["packages/protocol"],
  "packages/web": ["packages/protocol", "packages/client"],
}

const ownModules = "^(?:packages|plugins)/"
const insidePackage = "^((?:packages|plugins)/[^/]+)/src/"
const publicEntries = "src/(?:index|main|testing/index|child/main)[.]ts$"

export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
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
      to: { path: `${ownModules}(?!$1/)[^/]+/`, pathNot: [`^$1/`, publicEntries] },
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
    ...Object.entries(mayImport).map(([importer, imported]) => ({
      name: `layer-of-${importer.replaceAll(/[^a-z-]+/g, "-")}`,
      comment: `may import ${imported.join(", ") || "no other package"}`,
      severity: "error",
      from: { path: `^(${importer})/src/` },
      to: { path: ownModules, pathNot: ["^$1/", ...imported.map(name => `^${name}/`)] },
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
