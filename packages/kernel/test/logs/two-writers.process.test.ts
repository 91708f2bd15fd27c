import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { temporaryFolder } from "../support/temporary.ts"

const module = fileURLToPath(new URL("../../src/logs/local-log.ts", import.meta.url))

const batches = 200
const linesInBatch = 10

async function write(home: string, writer: string): Promise<void> {
  const script = `
    import { createLocalLog } from ${JSON.stringify(module)}
    const log = createLocalLog({ home: ${JSON.stringify(home)}, env: {}, clock: Date.now })
    for (let batch = 0; batch < ${batches}; batch += 1) {
      for (let line = 0; line < ${linesInBatch}; line += 1) {
        log.defer({ level: "info", event: "step", writer: "${writer}", number: batch * ${linesInBatch} + line })
      }
      log.flush()
    }`
  const flags = ["--conditions=@harness/source", "--input-type=module", "--eval", script]
  await promisify(execFile)(process.execPath, flags)
}

test("two processes lose no line and mix none, also while the file makes room", async () => {
  const home = await temporaryFolder()
  const folder = join(home, "logs")
  await mkdir(folder)
  const before = `${JSON.stringify({ writer: "before", fill: "x".repeat(1_000) })}\n`
  const count = Math.floor((5 * 1_048_576 - 100_000) / before.length)
  await writeFile(join(folder, "harness.log"), before.repeat(count))

  await Promise.all([write(home, "one"), write(home, "two")])

  const texts = (await readdir(folder)).map(name => readFile(join(folder, name), "utf8"))
  const lines = (await Promise.all(texts)).flatMap(text => text.trimEnd().split("\n"))
  const writers = lines.map(line => String(JSON.parse(line).writer))
  const of = (writer: string) => writers.filter(name => name === writer).length
  expect(await readdir(folder)).toHaveLength(2)
  expect([of("before"), of("one"), of("two")]).toEqual([
    count,
    batches * linesInBatch,
    batches * linesInBatch,
  ])
})
