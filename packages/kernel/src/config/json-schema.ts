import { Config, type JsonObject, ProjectConfig } from "@harness/protocol"
import * as z from "zod"

/** The JSON Schema of config.jsonc, for editors: `docs/reference/config.schema.json` is this. */
export function configJsonSchema(): JsonObject {
  return titled("config.jsonc of harness", Config)
}

/** That of a project's file: `docs/reference/project-config.schema.json`. */
export function projectConfigJsonSchema(): JsonObject {
  return titled(".harness/config.jsonc of a project", ProjectConfig)
}

/** The keys that may stand at a place of a document with that schema; empty where any may, or none. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const all = jsonObject.parse(z.toJSONSchema(schema, { io: "input" }))
  const found = path.reduce<JsonObject>(step, all)
  return Object.keys(objectAt(found, "properties")).filter(key => key !== "$schema")
}

const jsonObject = z.record(z.string(), z.json())

function titled(title: string, of: z.ZodType): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(of, { io: "input" })
  return jsonObject.parse({ $schema, title, ...schema })
}

function step(schema: JsonObject, key: PropertyKey): JsonObject {
  if (typeof key === "number") return objectAt(schema, "items")
  const properties = objectAt(schema, "properties")
  const name = String(key)
  return name in properties ? objectAt(properties, name) : objectAt(schema, "additionalProperties")
}

function objectAt(schema: JsonObject, key: string): JsonObject {
  const found = jsonObject.safeParse(schema[key])
  return found.success ? found.data : {}
}
