import { createKernel } from "@harness/kernel"
import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { throughJson } from "../src/boundary.ts"
import { shipped } from "../src/builtins.ts"

async function kernels() {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())

  const kernel = createKernel({
    home: home.path,
    env: {},
    log: { record: () => {}, defer: () => {}, flush: () => {}, hide: () => {} },
    builtins: shipped.map(each => ({
      ...each,
      version: "0.1.0",
      modules: { ".": import.meta.url },
    })),
    hosted: {},
    worker: { entry: "unused", nodeFlags: [], restore: "unused" },
    keychain: { entry: "unused", nodeFlags: [] },
    version: "0.1.0",
    clock: () => 0,
    now: () => 0,
    ids: () => "0123456789ab",
    random: bytes => "00".repeat(bytes),
  })
  return [kernel, throughJson(kernel)] as const
}

test("answers and refusals come through JSON as they are", async () => {
  const [direct, through] = await kernels()
  const commands = [
    { type: "list" },
    { type: "config" },
    { type: "uninstall", name: "nothing" },
    { type: "close", conversation: "none" },
  ] as const

  for (const command of commands) {
    expect(await through.dispatch(command)).toEqual(await direct.dispatch(command))
  }
})

test("what JSON does not carry, or the schema does not know, does not come through", async () => {
  const [, through] = await kernels()
  const nothing = { type: "uninstall", name: "x", extra: 1 } as const
  await expect(through.dispatch(nothing)).rejects.toThrow("extra")
})
