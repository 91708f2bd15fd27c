// The ini example's verification judges by itself: it sees the fault in what is published, and is
// not satisfied by the fix of one case.
import { execFile } from "node:child_process"
import { cp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { polluting } from "../../examples/ini/inputs.mjs"
import { loadExample, projectCopy } from "../../scripts/support/example.mjs"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { root } from "./support/homes.ts"

let published: string
beforeAll(async () => {
  published = await projectCopy(await loadExample(join(root, "examples"), "ini"), () => {})
})
afterAll(() => rm(published, { recursive: true }))

test("every polluting input changes something in the package as it is published", async () => {
  const { exitCode, lines } = await verify(published)
  expect(exitCode).toBe(1)
  expect(lines.filter(line => line.startsWith("failed: "))).toEqual([
    "failed: there is no test/proto.test.js",
    ...Object.entries(polluting).map(([name, input]) =>
      expect.stringMatching(
        new RegExp(`^failed: ${name}, ${RegExp.escape(JSON.stringify(input))}: .*(has|inherits) `),
      ),
    ),
  ])
  expect(lines.at(-1)).toMatch(/^not verified: 19 of \d+ failed$/)
})

test("a fix that compares with one name is not enough", async () => {
  const copy = await copyOf(published)
  const source = await readFile(copy.at("ini.js"), "utf8")
  const oneCase = source.replace(
    "section = unsafe(match[1])",
    "section = unsafe(match[1])\n      if (section === '__proto__') { p = {}; return }",
  )
  await writeFile(copy.at("ini.js"), oneCase)
  await copy.write({ "test/proto.test.js": passing })

  const { exitCode, lines } = await verify(copy.path)
  expect({ exitCode, last: lines.at(-1)?.replace(/of \d+/, "of <all>") }).toEqual({
    exitCode: 1,
    last: "not verified: 14 of <all> failed",
  })
})

test("a fix that changes what ordinary input gives is not accepted", async () => {
  const copy = await copyOf(published)
  const source = await readFile(copy.at("ini.js"), "utf8")
  await writeFile(copy.at("ini.js"), source.replaceAll(/= \{\}/g, "= Object.create(null)"))
  await copy.write({ "test/proto.test.js": passing })

  const { exitCode, lines } = await verify(copy.path)
  expect(exitCode).toBe(1)
  expect(lines).toContain("failed: ordinary input, sections: parse and stringify differ")
})

test("without a git history the verification says what it left out", async () => {
  const copy = await copyOf(published)
  await rm(copy.at(".git"), { recursive: true })
  const { lines } = await verify(copy.path)
  expect(lines.at(-2)).toBe("left out: ordinary input: there is no git history to compare with")
})

const passing = `require("node:test").test("nothing", () => {})\n`

async function copyOf(folder: string) {
  const copy = await temporaryFolder()
  onTestFinished(() => copy.remove())
  await cp(folder, copy.path, { recursive: true })
  return copy
}

function verify(cwd: string): Promise<{ exitCode: number; lines: string[] }> {
  const script = join(root, "examples", "ini", "verify.mjs")
  return new Promise(settle => {
    execFile(process.execPath, [script], { cwd }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : Number(error.code)
      settle({ exitCode, lines: `${stdout}${stderr}`.trimEnd().split("\n") })
    })
  })
}
