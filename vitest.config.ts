import { defineConfig } from "vitest/config"

const conditions = ["@harness/source"]
const built = "tests/support/built.ts"
const processTests = "{packages,plugins}/*/test/**/*.process.test.ts"

// Isolation is the main cost of a small test, so projects share their workers: no module keeps state.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // More than processors: most tests wait for processes of their own.
    maxWorkers: "150%",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{packages,plugins}/*/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", processTests],
          benchmark: { include: ["{packages,plugins}/*/bench/**/*.bench.ts"] },
          pool: "threads",
          isolate: false,
          // Against a hang, not a clock: five seconds are short on a machine that does much else.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: [processTests],
          globalSetup: built,
          benchmark: { include: [] },
          pool: "forks",
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["tests/**/*.test.ts"],
          globalSetup: built,
          exclude: ["**/node_modules/**", "tests/consumer/**"],
          benchmark: { include: [] },
          pool: "forks",
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
