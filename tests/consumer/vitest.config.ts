import { defineConfig } from "vitest/config"

/** What others get: packed from the build, installed by npm without our lockfile. */
export default defineConfig({
  test: {
    name: "consumer",
    include: ["tests/consumer/**/*.test.ts"],
    globalSetup: ["tests/consumer/pack.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
