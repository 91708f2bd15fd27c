import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { configJsonSchema } from "../../src/config/json-schema.ts"

const committed = new URL("../../../../docs/reference/config.schema.json", import.meta.url)

test("the committed JSON Schema is that of the code (else: pnpm reference)", async () => {
  expect(JSON.parse(await readFile(committed, "utf8"))).toEqual(configJsonSchema())
})
