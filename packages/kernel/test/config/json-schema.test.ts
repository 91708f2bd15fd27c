import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { configJsonSchema, projectConfigJsonSchema } from "../../src/config/json-schema.ts"

test.each([
  ["config.schema.json", configJsonSchema],
  ["project-config.schema.json", projectConfigJsonSchema],
])("the committed %s is that of the code (else: pnpm reference)", async (name, schema) => {
  const committed = new URL(`../../../../docs/reference/${name}`, import.meta.url)
  expect(JSON.parse(await readFile(committed, "utf8"))).toEqual(schema())
})
