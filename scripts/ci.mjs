// What CI runs, and what a contributor can run before pushing: tests, build, packed packages.
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepare, root } from "./bootstrap.mjs"
import { run } from "./support/children.mjs"
import { npm } from "./support/npm.mjs"
import { runScript } from "./support/problem.mjs"
import { vitest } from "./support/vitest.mjs"

const onWindows = process.platform === "win32"
const noCounts = { passed: 0, failed: 1 }

await runScript(async () => {
  const tests = await npmTest()
  const prepared = await prepare()
  const build = await freshBuild(prepared)
  const consumer = await vitest(["--config", "tests/consumer/vitest.config.ts"], {
    ...prepared,
    env: { ...prepared.env, ...(await certificates()) },
  })

  const failed = tests.failed + build.failed + consumer.failed
  process.stdout.write(
    `${tests.passed + build.passed + consumer.passed} passed, ${failed} failed\n`,
  )
  return failed === 0 ? 0 : 1
})

async function npmTest() {
  const folder = await mkdtemp(join(tmpdir(), "harness-ci-"))
  const file = join(folder, "counts.json")

  try {
    const env = { ...process.env, HARNESS_TEST_COUNTS: file }
    const { code } = await run("npm", ["test"], { cwd: root, env, shell: onWindows })
    const { passed, failed } = await readFile(file, "utf8").then(JSON.parse, () => noCounts)
    return { passed, failed: code === 0 ? failed : Math.max(failed, 1) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Where npm of this machine is told of a certificate authority, the consumer's own npm and harness
 * must trust it too: they run under another Node, which does not see npm's global configuration.
 */
async function certificates() {
  if (process.env.NODE_EXTRA_CA_CERTS) return {}
  const purpose = "read npm's configuration"
  const file = (await npm(["config", "get", "cafile"], { purpose, cwd: root })).trim()
  return file === "" || file === "null" ? {} : { NODE_EXTRA_CA_CERTS: file }
}

/** @param {{ nodePath: string, env: NodeJS.ProcessEnv }} prepared */
async function freshBuild({ nodePath, env }) {
  const { code } = await run(nodePath, ["--run", "build"], { cwd: root, env })
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}
