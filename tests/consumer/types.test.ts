import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Consumer, newConsumer, tarball } from "./consumer.ts"

const tsc = fileURLToPath(new URL("../../node_modules/@typescript/native/bin/tsc", import.meta.url))

let consumer: Consumer

beforeAll(async () => {
  consumer = await newConsumer()
  const manifest = { name: "consumer", version: "1.0.0", private: true, type: "module" }
  await consumer.write("package.json", JSON.stringify(manifest))
  await consumer.must("npm", [
    ...["install", "--ignore-scripts", "--no-audit", "--no-fund"],
    ...[tarball("@harness/sdk"), tarball("@harness/protocol"), "@types/node@24"],
  ])
  await consumer.write("src/kind.ts", kind)
})

afterAll(() => consumer.remove())

test.for(["nodenext", "bundler"])(
  "a kind compiles against the packed sdk under module resolution %s, every declaration checked",
  async resolution => {
    await consumer.write("tsconfig.json", JSON.stringify(configuration(resolution)))

    expect(await consumer.must(process.execPath, [tsc, "-p", consumer.path])).toBe("")
  },
)

function configuration(resolution: string) {
  const module = resolution === "bundler" ? "esnext" : "nodenext"
  return {
    compilerOptions: {
      target: "es2024",
      lib: ["es2025"],
      module,
      moduleResolution: resolution,
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    },
    include: ["src"],
  }
}

const kind = `
import { type ActionReceipt, isFailure } from "@harness/protocol"
import { defineAction, defineKind, z } from "@harness/sdk"

const wordCount = defineAction({
  name: "word_count",
  description: "Counts the words of a file.",
  effect: "read",
  input: z.object({ path: z.string() }),
  returns: "{words}",
  async run({ path }, { files }) {
    const file = await files.read(path, { limitBytes: 1_000_000 })
    if (file.status === "refused") return { error: file.error, message: file.message }
    return { words: new TextDecoder().decode(file.bytes).split(/\\s+/).length }
  },
})

export const notes = defineKind({
  name: "notes",
  description: "A folder of notes.",
  actions: [wordCount],
})

export const refused = (error: unknown): boolean => isFailure(error)
export const statusOf = (receipt: ActionReceipt) => receipt.status
`
