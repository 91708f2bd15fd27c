import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Config } from "@harness/protocol"
import { expect, test } from "vitest"
import { login } from "../../src/keys/answer.ts"
import { resolveModel } from "../../src/provider/resolve.ts"
import { readProjectPackages } from "../../src/registry/project-packages.ts"
import { createRegistry } from "../../src/registry/registry.ts"
import { temporaryFolder } from "../support/temporary.ts"
import { keyedHome } from "./support/keyed-home.ts"

const key = "not-a-key-3b9f"
const stored = { type: "login", provider: "keyed", key, file: true } as const
const rest = { config: Config.parse({}), lineOf: () => undefined }

/** What the provider `keyed` was given, as it tells in its notice. */
function given(model: Awaited<ReturnType<typeof resolveModel>>) {
  const { env, keyStored = false } = JSON.parse(model.provider.notice ?? "{}")
  return { key: env.KEYED_API_KEY, keyStored }
}

test("a provider that is made gets the stored key, and is told where it is from", async () => {
  const { context } = await keyedHome()
  await login(stored, context)

  const model = await resolveModel("keyed/m", { ...context, ...rest })
  expect(given(model)).toEqual({ key, keyStored: true })
})

test("with a variable set it gets that, and not the stored one", async () => {
  const { context } = await keyedHome({ KEYED_API_KEY: "of-the-environment" })
  await login(stored, context)

  const model = await resolveModel("keyed/m", { ...context, ...rest })
  expect(given(model)).toEqual({ key: "of-the-environment", keyStored: false })
})

test("a project's package that brings a provider of that name does not get the stored key", async () => {
  const { context, home } = await keyedHome()
  await login(stored, context)

  // The package that the key was stored for is not installed any more.
  const folder = await temporaryFolder()
  const contributes = { providers: [{ name: "keyed" }] }
  const manifest = { name: "keyed", version: "1.0.0", type: "module", exports: "./index.js" }
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, harness: { api: 1, contributes } }),
  )
  await writeFile(
    join(folder, "index.js"),
    // As `defineProvider` marks it.
    `export const keyed = {
  [Symbol.for("@harness/definition")]: "provider",
  name: "keyed",
  keyVariables: ["KEYED_API_KEY"],
  create: async given => ({ notice: JSON.stringify(given), async *stream() {} }),
}
`,
  )
  const lock = { version: 1, packages: {} } as const
  const registry = createRegistry({
    home,
    env: context.env,
    builtins: [],
    hosted: {},
    project: readProjectPackages([folder], { lock, builtins: [] }),
  })

  const model = await resolveModel("keyed/m", { ...context, ...rest, registry })
  expect(given(model)).toEqual({ key: undefined, keyStored: false })
})
