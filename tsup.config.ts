import { globSync } from "node:fs"
import { defineConfig } from "tsup"

// One esbuild process for every package; `tsc --build` writes the declarations.
export default defineConfig(
  globSync("{packages,plugins}/*/src/index.ts").map(entry => ({
    entry: [entry],
    outDir: entry.replace("src/index.ts", "dist"),
    format: ["esm"],
    target: "node24",
    dts: false,
    clean: false,
    sourcemap: false,
    silent: true,
    skipNodeModulesBundle: true,
  })),
)
