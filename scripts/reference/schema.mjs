import * as z from "zod"
import * as protocol from "../../packages/protocol/src/index.ts"
import { code, table } from "./markdown.mjs"

/** @typedef {import("./comments.mjs").Comments} Comments */

/** A part of a JSON Schema, as far as it is shown. */
const Shown = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  $ref: z.string().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  default: z.json().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  get anyOf() {
    return z.array(Shown).optional()
  },
  get oneOf() {
    return z.array(Shown).optional()
  },
  get items() {
    return Shown.optional()
  },
  get properties() {
    return z.record(z.string(), Shown).optional()
  },
  get additionalProperties() {
    return z.union([z.boolean(), Shown]).optional()
  },
  required: z.array(z.string()).optional(),
})
/** @typedef {z.infer<typeof Shown>} Shown */

const Defined = z.looseObject({ $defs: z.record(z.string(), Shown).default({}) })

/** Every schema that the protocol exports, by its name: a name instead of its content, once each. */
const registry = /** @type {z.core.$ZodRegistry<{ id?: string }>} */ (z.registry())
for (const [id, schema] of Object.entries(protocol)) {
  if (schema instanceof z.ZodType) registry.add(schema, { id })
}

/**
 * The JSON Schema of some exported schemas, what they refer to under `$defs`.
 *
 * @param {z.ZodType} schema
 * @param {{ title: string, io: "input" | "output" }} options
 */
export function jsonSchema(schema, { title, io }) {
  const { $schema, ...rest } = z.toJSONSchema(schema, { metadata: registry, io })
  return { $schema, title, ...rest }
}

/**
 * The definitions by name, to show.
 *
 * @param {object} schema
 * @returns {Record<string, Shown>}
 */
export function definitions(schema) {
  return Defined.parse(schema).$defs
}

/**
 * The fields of an object, one row each.
 *
 * @param {Shown} shape
 * @param {{ comments: Comments | undefined, at?: string, leaveOut?: readonly string[] }} options
 */
export function fieldTable(shape, { comments, at = "", leaveOut = [] }) {
  const fields = Object.entries(shape.properties ?? {}).filter(([name]) => !leaveOut.includes(name))
  if (fields.length === 0) return ""

  const rows = fields.map(([name, field]) => {
    const optional = !(shape.required ?? []).includes(name)
    const doc = comments?.fields.get(at === "" ? name : `${at}.${name}`) ?? ""
    const end = optional && field.default === undefined ? " (optional)" : ""
    const preset =
      field.default === undefined ? "" : ` Default: ${code(JSON.stringify(field.default))}.`
    return [code(name), typeOf(field) + end, `${doc}${preset}`.trim()]
  })
  return table(["field", "type", "meaning"], rows)
}

/**
 * A type in words: `integer > 0`, `"a"` or `"b"`, the name of another schema.
 *
 * @param {Shown} shape
 * @returns {string}
 */
export function typeOf(shape) {
  const { $ref, enum: choices, anyOf, oneOf, items, additionalProperties: values } = shape
  if ($ref !== undefined) return $ref.replace("#/$defs/", "").replace(/^__.*/, "JSON")
  if (shape.const !== undefined) return code(JSON.stringify(shape.const))
  if (choices !== undefined) return choices.map(one => code(JSON.stringify(one))).join(", ")
  if (anyOf !== undefined || oneOf !== undefined) {
    return [...(anyOf ?? []), ...(oneOf ?? [])].map(typeOf).join(" or ")
  }
  if (items !== undefined) return `list of ${typeOf(items)}`
  if (shape.properties !== undefined) return objectOf(shape.properties)
  if (typeof values === "object") return `object of ${typeOf(values)}`
  if (Array.isArray(shape.type)) return shape.type.join(" or ")
  return `${shape.type ?? "JSON"}${boundsOf(shape).join(" and")}`
}

/** @param {Record<string, Shown>} properties */
function objectOf(properties) {
  const inner = Object.entries(properties).map(([name, field]) => `${name}: ${typeOf(field)}`)
  return `{ ${inner.join("; ")} }`
}

/**
 * The whole numbers' own bounds say nothing.
 *
 * @param {Shown} shape
 */
function boundsOf({ type, format, minimum, exclusiveMinimum, maximum }) {
  if (type === "string") return format === "date-time" ? [" (ISO 8601, UTC)"] : []
  return [
    ...(exclusiveMinimum === undefined ? [] : [` > ${grouped(exclusiveMinimum)}`]),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER
      ? []
      : [` >= ${grouped(minimum)}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? []
      : [` <= ${grouped(maximum)}`]),
  ]
}

/** @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en")
}
