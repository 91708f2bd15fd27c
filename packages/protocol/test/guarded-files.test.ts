import fc from "fast-check"
import { expect, test } from "vitest"
import { controlFile, defaultSecretFiles, isReported, isSecretFile } from "../src/guarded-files.ts"

test.for([
  [".git/hooks/pre-commit", ".git/hooks/**"],
  [".git/hooks", ".git/hooks/**"],
  [".GIT/Hooks/pre-commit", ".git/hooks/**"],
  [".git/config", ".git/config"],
  ["vendor/lib/.git/hooks/post-checkout", ".git/hooks/**"],
  [".git/modules/lib/hooks/post-checkout", ".git/modules/**/hooks/**"],
  [".git/modules/a/b/config", ".git/modules/**/config"],
  [".gitmodules", ".gitmodules"],
  ["app/.envrc", ".envrc"],
  [".vscode/tasks.json", ".vscode/tasks.json"],
  [".idea/workspace.xml", ".idea/**"],
  [".devcontainer/Dockerfile", ".devcontainer/**"],
  [".harness/config.jsonc", ".harness/**"],
  [".git", ".git"],
  ["vendor/lib/.git", ".git"],
  [".git/commondir", ".git/commondir"],
  [".git/worktrees/a/config.worktree", ".git/worktrees/**/config.worktree"],
  [".git./hoo\u212As /pre-commit", ".git/hooks/**"],
  [".g\u200Cit/config", ".git/config"],
  [".git/HEAD", null],
  [".git/config.lock", null],
  ["git/hooks/pre-commit", null],
  [".github/workflows/ci.yml", null],
  ["src/hooks/config", null],
  [".environment", null],
] as const)("the path %s names the control file %s", ([path, pattern]) => {
  expect(controlFile(path)).toBe(pattern)
})

test.for([
  [".env", true],
  ["a/b/.env.local", true],
  [".ENV", true],
  [".env. ", true],
  [".e\u200Dnv", true],
  [".env.example", false],
  ["certs/server.pem", true],
  ["id_ed25519", true],
  ["id_ed25519.pub", false],
  ["src/environment.ts", false],
  ["keys.ts", false],
] as const)("whether %s is a secret file by the default list: %s", ([path, secret]) => {
  expect(isSecretFile(path, defaultSecretFiles)).toBe(secret)
})

test("of the patterns that match, the last one decides", () => {
  expect(isSecretFile("a.pem", ["*.pem", "!a.pem"])).toBe(false)
  expect(isSecretFile("a.pem", ["!a.pem", "*.pem"])).toBe(true)
})

test("a pattern without a star names one file, whatever characters it holds", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), name => {
      fc.pre(!name.includes("*") && !name.includes("/") && !name.startsWith("!"))
      expect(isSecretFile(`folder/${name}`, [name])).toBe(true)
      expect(isSecretFile(`folder/x${name}`, [name])).toBe(false)
    }),
  )
})

test("what steers others is reported by its name, wherever it lies", () => {
  expect(["package.json", "a/Makefile", "AGENTS.md", "a/claude.md"].map(isReported)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(["package.json5", "Makefile.am", "docs/agents"].map(isReported)).toEqual([
    false,
    false,
    false,
  ])
})

test("a star stands for any characters, none too, and every other character for itself", () => {
  const piece = fc.constantFrom("a", "b", "-", "*", "[", "+", "\n")
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1 }), fc.array(piece), (wanted, found) => {
      const [pattern, name] = [wanted.join(""), found.join("").replaceAll("*", "a")]
      fc.pre(name !== "")
      const literal = (part: string) => part.replaceAll(/[-[+]/g, "\\$&")
      const expected = new RegExp(`^${pattern.split("*").map(literal).join("[^]*")}$`)
      expect(isSecretFile(name, [pattern])).toBe(expected.test(name))
    }),
    { numRuns: 2_000 },
  )
})
