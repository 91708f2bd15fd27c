// `npm test`: all set-up, then the checks and every test. With arguments: vitest with them, alone.
import { writeFile } from "node:fs/promises"
import { prepare } from "./bootstrap.mjs"
import { check } from "./check.mjs"
import { runScript } from "./support/problem.mjs"
import { vitest } from "./support/vitest.mjs"
import { installSystemPackages } from "./system-packages.mjs"

await runScript(async () => {
  const args = process.argv.slice(2)
  const prepared = await prepare()
  if (args.length > 0) return (await vitest(args, prepared)).code

  await installSystemPackages({ forTests: true })
  const checked = await check(prepared)
  const tested = await vitest(["--allowOnly=false"], prepared)
  const skipped = process.platform === "linux" ? tested.skipped : 0

  if (checked.failed.length > 0) {
    process.stderr.write(`check: failed: ${checked.failed.join(", ")}\n`)
  }
  if (skipped > 0) process.stderr.write(`test: ${skipped} skipped, and none may be on Linux\n`)

  const counts = {
    passed: checked.passed.length + tested.passed,
    failed: checked.failed.length + tested.failed + skipped,
  }
  const file = process.env.HARNESS_TEST_COUNTS
  if (file) await writeFile(file, JSON.stringify(counts))
  return counts.failed === 0 ? 0 : 1
})
