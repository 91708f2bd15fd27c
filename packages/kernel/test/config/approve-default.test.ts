import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../../tests/support/temporary-folder.ts"
import { loadConfig } from "../../src/config/load.ts"
import { parseProjectSettings } from "../../src/config/project.ts"

/** The mode that counts, with `gate` as what the face takes where nobody says one. */
async function approveWith(said: {
  flag?: "none"
  variable?: string
  file?: string
  project?: string
}): Promise<string | undefined> {
  const home = await temporaryFolder({ "config.jsonc": said.file ?? "{}" })
  onTestFinished(() => home.remove())
  const { config } = await loadConfig({
    home: home.path,
    env: { HARNESS_APPROVE: said.variable },
    flags: { approve_default: "gate", approve: said.flag },
    project: said.project ? await parseProjectSettings("config.jsonc", said.project) : null,
  })
  return config.approve
}

test("a face's mode counts where neither flag, variable, file nor project says another", async () => {
  expect(await approveWith({})).toBe("gate")
  expect(await approveWith({ flag: "none" })).toBe("none")
  expect(await approveWith({ variable: "programs" })).toBe("programs")
  expect(await approveWith({ file: '{ "approve": "none" }' })).toBe("none")
  expect(await approveWith({ project: '{ "approve": "plan" }' })).toBe("plan")
})

test("a project cannot loosen the mode that a face takes", async () => {
  expect(await approveWith({ project: '{ "approve": "programs" }' })).toBe("gate")
  expect(await approveWith({ project: '{ "approve": "none" }' })).toBe("gate")
})
