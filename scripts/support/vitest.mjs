import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../bootstrap.mjs"
import { run } from "./children.mjs"

/**
 * Runs vitest to its end and counts. A run that ends badly without a failed test (a file that does
 * not load, an error outside of a test) counts as one failure, and so does each skipped test when
 * everything was asked for: nothing is skipped quietly.
 *
 * @param {string[]} args
 * @param {{ nodePath: string, env: NodeJS.ProcessEnv }} prepared
 * @returns {Promise<{ code: number, passed: number, failed: number, skipped: number }>}
 */
export async function vitest(args, { nodePath, env }) {
  const folder = await mkdtemp(join(tmpdir(), "harness-vitest-"))
  const report = join(folder, "report.json")
  const program = join(root, "node_modules", "vitest", "vitest.mjs")
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]

  try {
    const { code } = await run(nodePath, [program, "run", ...reporters, ...args], {
      cwd: root,
      env,
    })
    const counted = await readFile(report, "utf8").then(JSON.parse, () => ({}))
    const {
      numPassedTests = 0,
      numFailedTests = 0,
      numPendingTests = 0,
      numTodoTests = 0,
    } = counted
    return {
      code,
      passed: numPassedTests,
      failed: code === 0 ? numFailedTests : Math.max(numFailedTests, 1),
      skipped: numPendingTests + numTodoTests,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
