import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { nodeTooOld } from "../src/node-version.ts"

test.each(["24.15.0", "24.15.3", "24.21.0", "25.0.0", "26.1.0", "100.0.0"])(
  "Node %s will do",
  version => {
    expect(nodeTooOld(version, "/usr/bin/node")).toBeUndefined()
  },
)

test.each(["0.12.18", "18.20.8", "20.20.2", "22.22.2", "24.14.9"])(
  "of Node %s one line says what runs and what is needed",
  version => {
    expect(nodeTooOld(version, "/usr/bin/node")).toBe(
      `error node: harness needs Node 24.15 or newer, and this is Node ${version} (/usr/bin/node)\n`,
    )
  },
)

test("the oldest Node is the one that package.json names", async () => {
  const { engines } = JSON.parse(
    await readFile(new URL("../package.json", import.meta.url), "utf8"),
  )
  const [, oldest = ""] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? []

  expect(nodeTooOld(`${oldest}.0`, "node")).toBeUndefined()
  const [major = 0, minor = 0] = oldest.split(".").map(Number)
  expect(nodeTooOld(`${major}.${minor - 1}.99`, "node")).toContain(`needs Node ${oldest} `)
})

test("an old Node gets as far as that: the bin imports nothing before it but node:fs", async () => {
  expect(await importsOf(new URL("../src/main.ts", import.meta.url))).toEqual([
    "help.ts",
    "node-version.ts",
    "node:fs",
    "version.ts",
  ])
})

/** All that is imported when a module is linked, which an `await import()` is not. */
async function importsOf(url: URL): Promise<string[]> {
  const text = await readFile(url, "utf8")
  const own = [...text.matchAll(/^(?:import|export)\s(?:[^"'()]*\sfrom\s)?["']([^"']+)["']/gm)]
  const found = await Promise.all(
    own.map(async ([, specifier = ""]) =>
      specifier.startsWith(".")
        ? [specifier.slice(2), ...(await importsOf(new URL(specifier, url)))]
        : [specifier],
    ),
  )
  return [...new Set(found.flat())].sort()
}
