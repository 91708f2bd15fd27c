import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const packageFolder = fileURLToPath(new URL("..", import.meta.url))

/** Prints which modules of the model libraries were loaded: before a request could be made, and after. */
const script = `
  import { registerHooks } from "node:module"

  let loaded = []
  registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  const heavy = () => loaded.some(url => /@ai-sdk|packages.models.src.(?!settings|loopback|proxy)/.test(url))

  const { google } = await import("@harness/provider-google")
  const create = env => google.create({ model: "m", env, config: {} })

  const whenImported = heavy()
  const code = await create({}).catch(error => error.code)
  const whenRefused = heavy()
  await create({ GEMINI_API_KEY: "k" })
  console.log(JSON.stringify({ whenImported, code, whenRefused, whenCreated: heavy() }))
`

test("the model library loads when a provider is made, and not for one that lacks its key", async () => {
  const args = ["--conditions=@harness/source", "--input-type=module", "--eval", script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageFolder })

  expect(JSON.parse(stdout)).toEqual({
    whenImported: false,
    code: "key_missing",
    whenRefused: false,
    whenCreated: true,
  })
})
