import { expect, test } from "vitest"
import { guidance } from "../src/guidance.ts"
import { openProject } from "./support/project.ts"

async function guidanceIn(files: Record<string, string | Uint8Array>) {
  const project = await openProject(files)
  return guidance(project.host)
}

test("AGENTS.md comes before CLAUDE.md", async () => {
  expect(await guidanceIn({ "AGENTS.md": "\uFEFFone\n", "CLAUDE.md": "two\n" })).toEqual({
    name: "AGENTS.md",
    text: "one\n",
  })
})

test("CLAUDE.md comes when AGENTS.md is absent, empty, a folder or not text", async () => {
  const claude = { name: "CLAUDE.md", text: "two\n" }
  expect(await guidanceIn({ "CLAUDE.md": "two\n" })).toEqual(claude)
  expect(await guidanceIn({ "CLAUDE.md": "two\n", "AGENTS.md": " \n" })).toEqual(claude)
  expect(await guidanceIn({ "CLAUDE.md": "two\n", "AGENTS.md/x": "" })).toEqual(claude)
  expect(await guidanceIn({ "CLAUDE.md": "two\n", "AGENTS.md": Buffer.from([0xe9]) })).toEqual(
    claude,
  )
})

test("a project without either has no guidance", async () => {
  expect(await guidanceIn({ "agents.md.txt": "x" })).toBe(null)
})

test("a long one is cut between characters and says so", async () => {
  const text = "é".repeat(20_000)
  const found = await guidanceIn({ "AGENTS.md": text })
  expect(found).toEqual({
    name: "AGENTS.md",
    text: `${"é".repeat(16_384)}\n[AGENTS.md is cut here: 32,768 of 40,000 bytes. Read the rest of the file before you rely on it.]\n`,
  })
})
