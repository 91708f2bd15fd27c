import { Config } from "@harness/protocol"
import { expect, test } from "vitest"
import { resumedConfig } from "../../src/resume/settings.ts"

const before = {
  model: "a/one",
  style: "tools",
  approve: "gate",
  sandbox: "os",
  network: false,
} as const

const config = (given: object) => Config.parse({ model: "b/two", ...given })
const shown = ({ model, style, approve, sandbox, network }: Config) => {
  return { model, style, approve, sandbox, network }
}

test("model and style are what it had, and what it may do is the stricter of then and now", () => {
  const loose = config({ style: "programs", approve: "none", sandbox: "off", network: true })
  expect(shown(resumedConfig(loose, [], before))).toEqual(before)

  const strict = config({ approve: "plan" })
  const free = { ...before, approve: "none", sandbox: "off", network: true } as const
  expect(shown(resumedConfig(strict, [], free))).toEqual({ ...before, approve: "plan" })
  expect(shown(resumedConfig(config({}), [], free))).toEqual({ ...before, approve: "none" })
})

test.each(["flag --", "env HARNESS_"])("what %s says goes before what it had", origin => {
  const said = { style: "programs", approve: "none", sandbox: "off", network: true } as const
  const values = ["model", ...Object.keys(said)].map(key => {
    return { key, value: null, origin: `${origin}${key}` }
  })
  expect(shown(resumedConfig(config(said), values, before))).toEqual({ model: "b/two", ...said })
})

test("a value of config.jsonc or a default is no word of the user's about this conversation", () => {
  const values = [
    { key: "model", value: "b/two", origin: "config.jsonc:3" },
    { key: "style", value: "programs", origin: "default" },
  ]
  expect(shown(resumedConfig(config({}), values, before))).toEqual(before)
})

test("all else is as for a new conversation", () => {
  const now = config({ limits: { max_steps: 7 } })
  expect(resumedConfig(now, [], before).limits).toEqual(now.limits)
})
