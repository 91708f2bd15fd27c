import type { Json } from "@harness/protocol"
import type { SignatureParameter } from "@harness/sdk"
import { pythonName } from "./names.ts"

const types: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
  object: "dict",
  null: "None",
}

/**
 * A function as the model is told of it.
 *
 * @example
 * pythonSignature("read_file", [{ name: "path", required: true, type: "string" }], "{text}")
 * // read_file(path: str) -> {text}
 */
export function pythonSignature(
  name: string,
  parameters: readonly SignatureParameter[],
  returns: string,
): string {
  return `${pythonName(name)}(${parameters.map(written).join(", ")}) -> ${returns}`
}

function written({ name, required, type, default: value }: SignatureParameter): string {
  const alternatives = type.split("|").map(each => types[each] ?? each)
  const typed = `${pythonName(name)}: ${alternatives.join(" | ")}`
  if (required) return typed
  return `${typed} = ${value === undefined ? "None" : literal(value)}`
}

/** A JSON value as Python writes it. */
function literal(value: Json): string {
  if (value === null) return "None"
  if (value === true) return "True"
  if (value === false) return "False"
  if (typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  const pairs = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${literal(each)}`,
  )
  return `{${pairs.join(", ")}}`
}
