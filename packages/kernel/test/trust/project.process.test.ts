import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { mkdir, rename } from "node:fs/promises"
import { join } from "node:path"
import type { CommandAnswer, KernelCommand } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const config = '{\n  "rules": [{ "verdict": "deny", "path": "vendor/**" }]\n}'

const cabinet = {
  name: "@acme/cabinet",
  version: "1.2.0",
  type: "module",
  exports: "./index.js",
  harness: {
    api: 1,
    contributes: { policies: [{ name: "careful" }] },
    capabilities: ["files"],
  },
}

/** As the sdk makes it: the host's copy is shared with packages in its own processes only. */
const cabinetModule = `
const brand = Symbol.for("@harness/definition")
export const careful = {
  name: "careful",
  async review() { throw new Error("it was careless") },
  [brand]: "policy",
}
`

const packageFiles = {
  ".harness/packages/cabinet/package.json": JSON.stringify(cabinet),
  ".harness/packages/cabinet/index.js": cabinetModule,
}

async function answered(kernel: TestKernel, command: KernelCommand): Promise<CommandAnswer> {
  const answer: CommandAnswer = await kernel.kernel.dispatch(command)
  if (answer.type === "failed") throw new Error(`${answer.failure.code}: ${answer.failure.message}`)
  return answer
}

async function inspected(kernel: TestKernel, folder = kernel.root) {
  const answer = await answered(kernel, { type: "project", folder })
  if (answer.type !== "project") throw new Error(answer.type)
  return answer.project
}

async function trust(kernel: TestKernel, folder = kernel.root) {
  const { content } = await inspected(kernel, folder)
  return answered(kernel, { type: "trust", folder, content: content ?? "" })
}

const note = (path: string) => calls(1, ["note", { path, text: "x" }])

describe("a project's configuration", () => {
  test("is ignored with one line until the folder is trusted, and counts after", async () => {
    const files = { ".harness/config.jsonc": config, "vendor/a.txt": "" }
    const kernel = startKernel([note("vendor/b.txt"), says("Done.")], { files })

    const ignored = await kernel.open()
    await kernel.send(ignored, "Write.")
    expect(kernel.read("vendor/b.txt")).toBe("x")
    expect(ofType(kernel.events, "notice")).toMatchObject([
      {
        code: "project_ignored",
        message: `.harness/ of this folder is ignored: trust it with harness trust ${kernel.root}`,
      },
    ])
    expect(JSON.stringify(kernel.log())).not.toContain(kernel.root)

    expect(await inspected(kernel)).toEqual({
      folder: kernel.root,
      status: "untrusted",
      reason: null,
      content: expect.stringMatching(/^[0-9a-f]{64}$/),
      config: [
        {
          key: "rules",
          value: [{ verdict: "deny", path: "vendor/**" }],
          origin: ".harness/config.jsonc:2",
        },
      ],
      packages: [],
    })
    expect(await trust(kernel)).toEqual({ type: "trust", folder: kernel.root, changed: true })
    expect(await trust(kernel)).toEqual({ type: "trust", folder: kernel.root, changed: false })
    expect(statSync(join(kernel.home, "trust.json")).mode & 0o777).toBe(0o600)
  })

  test("denies as a package's policy does, whatever the user's rules allow", async () => {
    const kernel = startKernel([note("vendor/b.txt"), note("a.txt"), says("Done.")], {
      files: { ".harness/config.jsonc": config, "vendor/a.txt": "" },
      config: { rules: [{ verdict: "allow", path: "vendor/b.txt", action: "note" }] },
    })
    await trust(kernel)

    await kernel.send(await kernel.open(), "Write.")

    expect(ofType(kernel.events, "notice")).toEqual([])
    expect(ofType(kernel.events, "action_proposed")).toMatchObject([
      { verdict: "deny", rule: "policy:.harness/config.jsonc" },
      { verdict: "allow", rule: "mode:none" },
    ])
    expect(existsSync(join(kernel.root, "vendor/b.txt"))).toBe(false)
  })

  test("asks again when it changed, and does not count meanwhile", async () => {
    const kernel = startKernel([says("Hello.")], { files: { ".harness/config.jsonc": config } })
    await trust(kernel)
    writeFileSync(join(kernel.root, ".harness/config.jsonc"), '{ "style": "tools" }')

    expect(await inspected(kernel)).toMatchObject({ status: "changed" })
    expect(await answered(kernel, { type: "config", folder: kernel.root })).toMatchObject({
      ignored: `.harness/ of this folder is ignored, for it changed since it was trusted: look at it with harness trust ${kernel.root}`,
    })
  })

  test("that is invalid cannot be trusted, and does not hold up a run", async () => {
    const files = { ".harness/config.jsonc": '{\n"providers": {} }' }
    const kernel = startKernel([says("Hello.")], { files })
    const reason = `${kernel.root}/.harness/config.jsonc:2: providers: is not a key that a project can set`

    const found = await inspected(kernel)
    expect(found).toMatchObject({ status: "unusable", content: null })
    expect(found.reason).toContain(reason)
    const anything = { type: "trust", folder: kernel.root, content: "0".repeat(64) } as const
    await expect(answered(kernel, anything)).rejects.toThrow(/^project_unusable: /)
    await kernel.send(await kernel.open(), "Hello.")
  })

  test("is trusted as it was shown and no other", async () => {
    const kernel = startKernel([says("Hello.")], { files: { ".harness/config.jsonc": config } })
    const { content } = await inspected(kernel)
    writeFileSync(join(kernel.root, ".harness/config.jsonc"), "{}")

    const command = { type: "trust", folder: kernel.root, content: content ?? "" } as const
    await expect(answered(kernel, command)).rejects.toThrow(/^project_changed: /)
    expect(await inspected(kernel)).toMatchObject({ status: "untrusted" })
  })
})

describe("trust", () => {
  const files = { ".harness/config.jsonc": config, "inner/.harness/config.jsonc": config }

  test("is the folder's own: neither one in it nor one around it has it", async () => {
    const kernel = startKernel([says("Hello.")], { files })
    await trust(kernel)
    expect(await inspected(kernel, join(kernel.root, "inner"))).toMatchObject({
      status: "untrusted",
    })

    await answered(kernel, { type: "withdraw", folder: kernel.root })
    await trust(kernel, join(kernel.root, "inner"))
    expect(await inspected(kernel)).toMatchObject({ status: "untrusted" })
  })

  test("is judged by the real path, and withdrawn also when the folder is gone", async () => {
    const kernel = startKernel([says("Hello.")], { files })
    const alias = join(kernel.home, "alias")
    symlinkSync(kernel.root, alias)
    await trust(kernel, alias)
    expect(await inspected(kernel)).toMatchObject({ status: "trusted" })

    await rename(kernel.root, `${kernel.root}-gone`)
    const withdraw = { type: "withdraw", folder: kernel.root } as const
    expect(await answered(kernel, withdraw)).toMatchObject({ changed: true })
    expect(await answered(kernel, withdraw)).toMatchObject({ changed: false })
    await rename(`${kernel.root}-gone`, kernel.root)
    expect(await inspected(kernel)).toMatchObject({ status: "untrusted" })
  })

  test("that many give at once is not lost", async () => {
    const names = Array.from({ length: 12 }, (_none, index) => `p${index}`)
    const each = names.map(name => [`${name}/.harness/config.jsonc`, "{}"])
    const kernel = startKernel([says("Hello.")], { files: Object.fromEntries(each) })
    await Promise.all(names.map(name => trust(kernel, join(kernel.root, name))))

    const text = readFileSync(join(kernel.home, "trust.json"), "utf8")
    expect(Object.keys(JSON.parse(text).folders)).toHaveLength(names.length)
  })

  test("is nobody's when its file is damaged", async () => {
    const kernel = startKernel([says("Hello.")], { files })
    writeFileSync(join(kernel.home, "trust.json"), '{"version":1,"folders":{"/":"*"}}')
    await expect(kernel.open()).rejects.toThrow(/^trust_damaged: /)
  })

  test("is not kept in a home that others share", async () => {
    const kernel = startKernel([says("Hello.")], { files })
    chmodSync(kernel.home, 0o1777)
    await expect(trust(kernel)).rejects.toThrow(/^home_unusable: /)
  })
})

describe("a project's package", () => {
  test("is loaded in place once trusted, and its policy judges", async () => {
    const kernel = startKernel([note("a.txt"), says("Done.")], { files: packageFiles })
    await trust(kernel)

    const state = {
      name: "@acme/cabinet",
      version: "1.2.0",
      source: { type: "project", path: join(kernel.root, ".harness/packages/cabinet") },
      contributes: ["policy careful"],
      capabilities: ["files"],
      status: "ok",
    }
    const list = await answered(kernel, { type: "list", folder: kernel.root })
    expect(list).toMatchObject({ ignored: null, packages: [{ name: "fixture" }, state] })
    expect(await answered(kernel, { type: "list" })).toMatchObject({ packages: [{}] })

    const conversation = await kernel.open()
    await kernel.send(conversation, "Write.")
    expect(ofType(kernel.events, "action_proposed")).toMatchObject([
      { verdict: "deny", rule: "policy:careful" },
    ])
    const [first = ""] = readFileSync(join(kernel.home, "logs/harness.log"), "utf8").split("\n")
    expect(JSON.parse(first)).toMatchObject({
      event: "policy_failed",
      conversation,
      message: expect.stringContaining("it was careless"),
    })
  })

  test("whose code changed by one byte counts no more", async () => {
    const kernel = startKernel([note("a.txt"), says("Done.")], { files: packageFiles })
    await trust(kernel)
    const module = join(kernel.root, ".harness/packages/cabinet/index.js")
    writeFileSync(module, `${readFileSync(module, "utf8")}\n`)

    await kernel.send(await kernel.open(), "Write.")
    expect(ofType(kernel.events, "action_proposed")).toMatchObject([
      { verdict: "allow", rule: "mode:none" },
    ])
  })

  test("that is broken, or would replace what is there, is named and skipped", async () => {
    const contributes = { kinds: [{ name: "desk" }] }
    const rival = { ...cabinet, name: "rival", harness: { api: 1, contributes } }
    const files = {
      ".harness/packages/empty/readme.md": "",
      ".harness/packages/fixture/package.json": JSON.stringify({ ...cabinet, name: "fixture" }),
      ".harness/packages/fixture/index.js": "",
      ".harness/packages/rival/package.json": JSON.stringify(rival),
      ".harness/packages/rival/index.js": "",
      ".harness/packages/twice-a/package.json": JSON.stringify(cabinet),
      ".harness/packages/twice-a/index.js": "",
      ".harness/packages/twice-b/package.json": JSON.stringify(cabinet),
      ".harness/packages/twice-b/index.js": "",
      ".harness/packages/unbuilt/package.json": JSON.stringify({ ...cabinet, name: "unbuilt" }),
    }
    const kernel = startKernel([says("Hello.")], { files })
    await trust(kernel)

    const { packages } = await inspected(kernel)
    expect(packages.map(({ name, status, reason }) => [name, status, reason])).toEqual([
      ["empty", "broken", "its package.json cannot be read: it does not exist"],
      ["fixture", "broken", "it brings the package fixture, which fixture brings already"],
      ["rival", "broken", "it brings the kind desk, which fixture brings already"],
      ["@acme/cabinet", "ok", undefined],
      [
        "@acme/cabinet",
        "broken",
        "it brings the package @acme/cabinet, which @acme/cabinet brings already",
      ],
      [
        "unbuilt",
        "broken",
        'its module "." leads to ./index.js, which does not exist: build the package first',
      ],
    ])
  })
})

test("a root that is the home's own folder brings nothing of itself", async () => {
  const kernel = startKernel([says("Hello.")])
  await mkdir(join(kernel.home, "projects"), { recursive: true })
  const user = join(kernel.home, "..")
  symlinkSync(kernel.home, join(user, ".harness"))
  expect(await inspected(kernel, user)).toMatchObject({ status: "none" })
})
