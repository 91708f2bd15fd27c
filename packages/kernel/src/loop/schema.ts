import { JsonObject } from "@harness/protocol"
import type { SignatureParameter } from "@harness/sdk"
import * as z from "zod"

/** The JSON Schema of an input as a model is shown it: what has a default is not required. */
export function schemaOf(input: z.ZodObject): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" })
  return JsonObject.parse(strip(schema))
}

/** The parameters of an action in the order of positional arguments. */
export function parametersOf(input: z.ZodObject): SignatureParameter[] {
  const schema = Shape.parse(schemaOf(input))
  const required = new Set(schema.required)
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    required: required.has(name),
    type: typeOf(property),
    ...(property.default !== undefined && { default: property.default }),
  }))
}

const Property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  default: z.json().optional(),
})

const Shape = z.looseObject({
  properties: z.record(z.string(), Property).default({}),
  required: z.array(z.string()).default([]),
})

function typeOf({ type, anyOf }: z.infer<typeof Property>): string {
  if (typeof type === "string") return type
  const types = type ?? anyOf?.map(option => option.type ?? "any") ?? ["any"]
  return types.filter(one => one !== "null").join("|")
}

/** zod states its widest integers as bounds: they tell a model nothing and cost bytes. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== "object" || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, content]) =>
      !(key === "maximum" && content === Number.MAX_SAFE_INTEGER) &&
      !(key === "minimum" && content === Number.MIN_SAFE_INTEGER) &&
      !(key === "additionalProperties" && content === false),
  )
  return Object.fromEntries(kept.map(([key, content]) => [key, strip(content)]))
}
