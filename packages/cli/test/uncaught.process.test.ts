import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts"

const compose = new URL("../src/compose.ts", import.meta.url).href

test("what nobody caught is in the local log before the process is gone, without a secret", async () => {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())
  const script = `
    import { compose } from ${JSON.stringify(compose)}
    await compose({ env: process.env, cwd: process.cwd() })
    throw new Error("401 for " + process.env.ACME_TOKEN)`
  const flags = ["--conditions=@harness/source", "--input-type=module", "--eval", script]
  const env = { PATH: process.env.PATH, HARNESS_HOME: home.path, ACME_TOKEN: "acme-0123456789" }

  const ended = promisify(execFile)(process.execPath, flags, { env })
  await expect(ended).rejects.toMatchObject({ code: 1 })

  const text = await home.text("logs/harness.log")
  expect(JSON.parse(text)).toEqual({
    level: "error",
    time: expect.any(String),
    pid: expect.any(Number),
    event: "uncaught",
    stack: expect.stringMatching(/^Error: 401 for \[redacted\]\n\s+at /),
  })
})
