import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { runCli } from "../../../tests/support/run-cli.ts"
import { type FolderContent, temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { harness as harnessAt } from "./support/harness.ts"

const workspace = fileURLToPath(new URL("../../workspace", import.meta.url))

const described = `@harness/workspace 0.1.0
  from         linked from ${workspace}
  contributes  kind project
  may use      files, processes
`

/** A home, a folder to be in, and the command over them. */
async function place(content: FolderContent = {}) {
  const [home, folder] = await Promise.all([temporaryFolder(), temporaryFolder(content)])
  onTestFinished(async () => {
    await Promise.all([home.remove(), folder.remove()])
  })

  const harness = async (...args: string[]) => {
    const env = { HARNESS_HOME: home.at("home") }
    const { exitCode, stdout, stderr } = await runCli(args, { env, cwd: folder.path })
    return { exitCode, stdout, stderr }
  }
  return { home, folder, harness }
}

test("a package is linked once, listed, and removed; both can be repeated", async () => {
  const { harness } = await place()
  const install = () => harness("install", workspace, "--link", "--yes")

  expect(await install()).toEqual({
    exitCode: 0,
    stdout: `${described}installed @harness/workspace 0.1.0\n`,
    stderr: "",
  })
  expect(await install()).toEqual({
    exitCode: 0,
    stdout: "@harness/workspace 0.1.0 is installed already\n",
    stderr: "",
  })

  const listed = await harness("list")
  expect(listed.stdout).toContain(`linked from ${workspace}\n`)
  const json = JSON.parse((await harness("list", "--json")).stdout)
  expect(json).toContainEqual({
    name: "@harness/workspace",
    version: "0.1.0",
    source: { type: "link", path: workspace },
    contributes: ["kind project"],
    capabilities: ["files", "processes"],
    status: "ok",
  })

  expect(await harness("uninstall", "@harness/workspace")).toEqual({
    exitCode: 0,
    stdout: "uninstalled @harness/workspace 0.1.0\n",
    stderr: "",
  })
  expect(await harness("uninstall", "@harness/workspace")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      "error package_not_installed: @harness/workspace is not installed.\nnext: harness list shows what is.\n",
  })
})

test("without a terminal and without --yes it ends at once, and nothing is installed", async () => {
  const { home, harness } = await place()

  expect(await harness("install", workspace, "--link")).toEqual({
    exitCode: 2,
    stdout: described,
    stderr:
      "error consent_required: @harness/workspace was not installed: consent is needed and there is no terminal to ask in.\nnext: Read what it contributes and may do above, then repeat with --yes.\n",
  })
  expect(await home.files()).toEqual({})
})

test("a relative path is meant from the folder that one is in", async () => {
  const { folder, harness } = await place({
    "kind/package.json": JSON.stringify({ name: "kind", version: "1.0.0" }),
  })

  expect(await harness("install", "./kind", "--yes")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining(`error package_invalid: ${folder.at("kind")} is not a harness`),
  })
  expect(await harness("install", "./other", "--yes")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining(`error package_not_found: The package ${folder.at("other")}`),
  })
})

test("config show names each value and where it came from", async () => {
  const { home, harness } = await place()
  await home.write({ "home/config.jsonc": '{\n  // mine\n  "style": "tools"\n}\n' })

  const shown = await harness("config", "show")
  expect({ ...shown, stdout: "" }).toEqual({ exitCode: 0, stdout: "", stderr: "" })
  expect(shown.stdout).toMatch(/^style +"tools" +.*config\.jsonc:3$/m)
  expect(shown.stdout).toMatch(/^limits\.max_steps +200 +default$/m)

  const json = JSON.parse((await harness("config", "show", "--json")).stdout)
  expect(json).toContainEqual({ key: "limits.max_steps", value: 200, origin: "default" })
})

test("a configuration that cannot be read is named by file, line and key", async () => {
  const { home, harness } = await place()
  await home.write({ "home/config.jsonc": '{\n  "style": "both"\n}\n' })

  const { exitCode, stdout, stderr } = await harness("config", "show")
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
  expect(stderr).toMatch(/^error config_invalid: .*config\.jsonc:2: style: .*\nnext: .*\n$/)
})

test.for([
  ["y\n", 0, "installed @harness/workspace 0.1.0\n", ""],
  ["\n", 1, "", "not installed\n"],
] as const)("a person who types %j at the question decides", async ([typed, exit, out, said]) => {
  const { home } = await place()
  const terminal = { home: home.at("home"), terminal: true, stdin: typed }

  expect(await harnessAt(["install", workspace, "--link"], terminal)).toEqual({
    exitCode: exit,
    signal: null,
    stdout: described + out,
    stderr: `Install @harness/workspace? [y/N] ${said}`,
  })
})
