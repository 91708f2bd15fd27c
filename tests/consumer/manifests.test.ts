import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import * as z from "zod"
import { newConsumer } from "./consumer.ts"

const Versions = z.record(z.string(), z.string()).default({})
const Packed = z.object({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  dependencies: Versions,
  peerDependencies: Versions,
})

const tarballs = inject("tarballs")

describe.for(Object.entries(tarballs))("%s", ([name, tarball]) => {
  test("its tarball carries code and licence, and nothing of our workspace", async () => {
    const { files, manifest } = await unpacked(tarball)

    expect(manifest.name).toBe(name)
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "package.json"]))
    expect(
      files.filter(file => !/^(?:dist\/|LICENSE$|README\.md$|package\.json$)/.test(file)),
    ).toEqual([])
    expect(files.filter(file => /\.map$|tsbuildinfo$|(?<!\.d)\.ts$/.test(file))).toEqual([])
  })

  test("it names our packages by exact version and no version in our workspace's words", async () => {
    const { manifest } = await unpacked(tarball)
    const named = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })

    const own = named.filter(([each]) => each.startsWith("@harness/"))
    expect(own).toEqual(own.map(([each]) => [each, manifest.version]))
    expect(
      named.filter(([, version]) => /^(?:workspace|catalog|link|file):/.test(version)),
    ).toEqual([])
  })

  test("its exports lead to files that are there, and never to sources", async () => {
    const { files, manifest } = await unpacked(tarball)
    const targets = Object.values(manifest.exports)

    expect(
      targets.flatMap(each => Object.keys(each)).filter(each => each.includes("source")),
    ).toEqual([])
    const named = targets.flatMap(each => Object.values(each)).map(each => each.slice("./".length))
    expect(files).toEqual(expect.arrayContaining(named))
  })
})

async function unpacked(tarball: string) {
  const consumer = await newConsumer()
  onTestFinished(() => consumer.remove())
  await consumer.must("tar", ["-xzf", tarball])

  const listed = await consumer.must("tar", ["-tzf", tarball])
  const files = listed
    .trim()
    .split("\n")
    .map(each => each.slice("package/".length))
  const text = await readFile(join(consumer.path, "package", "package.json"), "utf8")
  return { files, manifest: Packed.parse(JSON.parse(text)) }
}
