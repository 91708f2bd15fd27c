import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { filter } from "../../src/seccomp/filter.ts"
import { filterStore } from "../../src/seccomp/store.ts"
import { folderWith } from "../support/folder.ts"

const options = { architecture: "x64", unixSockets: false, debuggers: false } as const

test("a filter is written once, whole, for its owner to read alone", () => {
  const folder = join(folderWith(), "made")

  const files = [filterStore(folder), filterStore(folder)].map(store => store(options))

  expect(files).toEqual([join(folder, "seccomp-x64.bpf"), join(folder, "seccomp-x64.bpf")])
  expect(readdirSync(folder)).toEqual(["seccomp-x64.bpf"])
  expect(new Uint8Array(readFileSync(files[0] ?? ""))).toEqual(filter(options))
  expect(statSync(files[0] ?? "").mode & 0o777).toBe(0o400)
})

test("each choice of what is allowed has a file of its own", () => {
  const store = filterStore(folderWith())

  const names = [
    store({ ...options, unixSockets: true }),
    store({ ...options, architecture: "arm64", debuggers: true, unixSockets: true }),
  ]

  expect(names.map(name => name.split("/").at(-1))).toEqual([
    "seccomp-x64-unix.bpf",
    "seccomp-arm64-unix-debug.bpf",
  ])
})

test("a file that holds anything else is replaced before it is used", () => {
  const folder = folderWith()
  const file = filterStore(folder)(options)
  chmodSync(file, 0o600)
  writeFileSync(file, "an older filter")

  filterStore(folder)(options)

  expect(new Uint8Array(readFileSync(file))).toEqual(filter(options))
})
