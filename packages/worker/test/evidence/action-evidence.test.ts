import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { actionEvidence } from "../../src/evidence/action-evidence.ts"
import { payloadsIn } from "../../src/evidence/payloads.ts"
import { bytesOf, type Folders, makeFolders } from "../support/folders.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

let folders: Folders

beforeEach(() => {
  folders = makeFolders()
})

afterEach(() => {
  folders.dispose()
})

const open = (grantBytes: number) => actionEvidence(payloadsIn(folders.artifacts), grantBytes)
const kept = () =>
  readdirSync(join(folders.artifacts, "evidence"), { recursive: true, encoding: "utf8" }).filter(
    name => name.includes("/"),
  )

test("a payload is kept under its hash, private, and linked with its role and path", () => {
  const evidence = open(100)
  const links = [
    { role: "before", sha256: sha256("abc"), bytes: 3, path: "a.txt" },
    { role: "screenshot", sha256: sha256(""), bytes: 0 },
  ]
  expect(
    evidence.keep([
      { role: "before", bytes: bytesOf("abc"), path: "a.txt" },
      { role: "screenshot", bytes: bytesOf("") },
    ]),
  ).toEqual(links)
  expect(evidence).toMatchObject({ links, usedBytes: 3, remainingBytes: 97 })

  const hash = sha256("abc")
  const file = join(folders.artifacts, "evidence", hash.slice(0, 2), hash)
  expect(readFileSync(file, "utf8")).toBe("abc")
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test("content that is there already costs nothing, within one action and across", () => {
  const first = open(3)
  const twice = [
    { role: "before", bytes: bytesOf("abc") },
    { role: "after", bytes: bytesOf("abc") },
  ]
  expect(first.keep(twice)).toHaveLength(2)
  expect(first.usedBytes).toBe(3)
  const second = open(0)
  expect(second.keep(twice)).toHaveLength(2)
  expect(second.usedBytes).toBe(0)
  expect(kept()).toEqual([`${sha256("abc").slice(0, 2)}/${sha256("abc")}`])
})

test("when the grant does not hold all payloads none is kept", () => {
  const evidence = open(5)
  const tooMuch = [
    { role: "before", bytes: bytesOf("abc") },
    { role: "after", bytes: bytesOf("def") },
  ]
  expect(evidence.keep(tooMuch)).toBeNull()
  expect(evidence).toMatchObject({ links: [], usedBytes: 0 })
  expect(evidence.keep(tooMuch.slice(0, 1))).toHaveLength(1)
  expect(evidence.take(10)).toBe(2)
  expect(evidence.take(10)).toBe(0)
  expect(evidence.remainingBytes).toBe(0)
})

test("content that was redacted is linked by its hash, is not written again and costs nothing", () => {
  const evidence = actionEvidence(payloadsIn(folders.artifacts, new Set([sha256("abc")])), 3)
  const links = [
    { role: "before", sha256: sha256("abc"), bytes: 3 },
    { role: "after", sha256: sha256("def"), bytes: 3 },
  ]
  expect(
    evidence.keep([
      { role: "before", bytes: bytesOf("abc") },
      { role: "after", bytes: bytesOf("def") },
    ]),
  ).toEqual(links)
  expect(evidence.usedBytes).toBe(3)
  expect(kept()).toEqual([`${sha256("def").slice(0, 2)}/${sha256("def")}`])
})
