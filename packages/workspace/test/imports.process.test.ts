import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import * as z from "zod"

test("importing the package loads neither the diff nor ripgrep, nor files or processes of Node", async () => {
  const script = `
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    await import(process.argv[1])
    console.log(JSON.stringify(loaded))
  `
  const entry = new URL("../src/index.ts", import.meta.url).href
  const cwd = fileURLToPath(new URL("..", import.meta.url))
  const args = ["--conditions=@harness/source", "--input-type=module", "-e", script, entry]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })

  const loaded = z.array(z.string()).parse(JSON.parse(stdout))
  expect(loaded).toContain(entry)
  expect(
    loaded.filter(url => /\/node_modules\/(diff|@vscode)\/|node:(fs|child_process)/.test(url)),
  ).toEqual([])
})
