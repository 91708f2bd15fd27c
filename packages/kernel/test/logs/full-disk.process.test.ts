import { execFile } from "node:child_process"
import { chmod, mkdir, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { temporaryFolder } from "../support/temporary.ts"

const module = fileURLToPath(new URL("../../src/logs/local-log.ts", import.meta.url))

async function recordsIn(home: string): Promise<string> {
  const script = `
    import { createLocalLog } from ${JSON.stringify(module)}
    const log = createLocalLog({ home: ${JSON.stringify(home)}, env: {}, clock: Date.now })
    log.record({ level: "error", event: "x" })
    log.record({ level: "error", event: "y" })
    log.defer({ level: "info", event: "z" })
    log.flush()
    console.log("went on")`
  const flags = ["--conditions=@harness/source", "--input-type=module", "--eval", script]
  return (await promisify(execFile)(process.execPath, flags)).stdout
}

test("a full disk ends nothing", async () => {
  const home = await temporaryFolder()
  await mkdir(join(home, "logs"))
  await symlink("/dev/full", join(home, "logs", "harness.log"))
  expect(await recordsIn(home)).toBe("went on\n")
})

test("a home that is read-only ends nothing", async () => {
  const home = await temporaryFolder()
  await chmod(home, 0o500)
  expect(await recordsIn(home)).toBe("went on\n")
})
