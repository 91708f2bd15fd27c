import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"

test("zod compiles no schema where that was said before it was loaded", async () => {
  const script = `
    const { parseWithoutCompiling } = await import(${JSON.stringify(module)})
    parseWithoutCompiling()
    const { config } = await import("zod")
    console.log(config().jitless)
  `
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { cwd: import.meta.dirname },
  )
  expect(stdout.trim()).toBe("true")
})

const module = new URL("../src/schemas.ts", import.meta.url).href
