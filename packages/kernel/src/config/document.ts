import { Config, failure, type JsonObject } from "@harness/protocol"
import type { Node, ParseError } from "jsonc-parser"
import * as z from "zod"
import { keyPath } from "./key-path.ts"

type Jsonc = typeof import("jsonc-parser")

/** A config.jsonc that was read and holds: its content, and where each part of it stands. */
export type ConfigDocument = {
  content: JsonObject
  /** The line, from 1, of what stands at that place; undefined when nothing does. */
  lineOf(path: readonly (string | number)[]): number | undefined
}

/** Whose config.jsonc it is: the user's in the home, or a project's, which may say less. */
export type ConfigForm = { schema: z.ZodType; unknown: string }

const ofTheUser: ConfigForm = { schema: Config, unknown: "is not a known key" }

/**
 * Parses the text of config.jsonc and checks it against the schema. Throws `config_invalid` with the
 * line, the key and the reason: broken syntax, a key that is unknown or set twice, a wrong value.
 */
export async function parseConfigDocument(
  file: string,
  text: string,
  form = ofTheUser,
): Promise<ConfigDocument> {
  const jsonc = await import("jsonc-parser")
  const errors: ParseError[] = []
  const options = { allowTrailingComma: true, allowEmptyContent: true }
  const plain = text.replace(/^\uFEFF/, " ")
  const tree = jsonc.parseTree(plain, errors, options)

  const refuse: Refuse = (offset, path, reason) => {
    const key = keyPath(path) || "the document"
    throw failure("config_invalid", { file, line: lineAt(plain, offset), key, reason })
  }

  const [broken] = errors
  if (broken !== undefined) {
    const { path } = jsonc.getLocation(plain, broken.offset)
    const written = path.filter(key => key !== "") // where the next key would stand, it is empty
    refuse(broken.offset, written, syntaxReason(jsonc, broken))
  }
  if (tree === undefined) return { content: {}, lineOf: () => undefined }
  refuseAmbiguousKeys(tree, [], refuse)

  const value: unknown = jsonc.getNodeValue(tree)
  const checked = form.schema.safeParse(value)
  if (!checked.success) {
    const { offset, path, reason } = await firstIssue(jsonc, tree, form, checked.error)
    refuse(offset, path, reason)
  }

  return {
    content: z.record(z.string(), z.json()).parse(value),
    lineOf: path => {
      const node = jsonc.findNodeAtLocation(tree, [...path])
      return node && lineAt(plain, startOf(node))
    },
  }
}

type Refuse = (offset: number, path: readonly PropertyKey[], reason: string) => void

/** `CommaExpected` as "comma expected". */
function syntaxReason({ printParseErrorCode }: Jsonc, { error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=.)[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .toLowerCase()
}

/** Of a key that stands twice only one counts, and `__proto__` none: both are mistakes. */
function refuseAmbiguousKeys(node: Node, path: readonly (string | number)[], refuse: Refuse): void {
  const seen = new Set<unknown>()

  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type !== "object") {
      refuseAmbiguousKeys(child, [...path, index], refuse)
      continue
    }
    const [key, value] = child.children ?? []
    const here = [...path, String(key?.value)]
    if (seen.has(key?.value)) refuse(child.offset, here, "the key is set twice")
    if (key?.value === "__proto__") refuse(child.offset, here, "the key cannot be used")
    seen.add(key?.value)
    if (value !== undefined) refuseAmbiguousKeys(value, here, refuse)
  }
}

type Issue = { offset: number; path: readonly PropertyKey[]; reason: string }

/** The issue that stands first in the file. */
async function firstIssue(
  jsonc: Jsonc,
  tree: Node,
  form: ConfigForm,
  error: z.ZodError,
): Promise<Issue> {
  const issues = await Promise.all(error.issues.map(issue => located(jsonc, tree, form, issue)))
  return issues.reduce((first, issue) => (issue.offset < first.offset ? issue : first))
}

async function located(
  jsonc: Jsonc,
  tree: Node,
  form: ConfigForm,
  issue: z.core.$ZodIssue,
): Promise<Issue> {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined
  const path = unknown === undefined ? issue.path : [...issue.path, unknown]
  const reason = unknown === undefined ? valueReason(issue) : await unknownReason(form, issue.path)

  const node = nearest(jsonc, tree, path)
  return { offset: startOf(node), path, reason }
}

/** zod's message as the end of a sentence. */
function valueReason({ message }: z.core.$ZodIssue): string {
  return message.replace(/^Invalid (?:input|option): /, "").replace(/^[A-Z](?=[a-z])/, toLower)
}

async function unknownReason(
  { schema, unknown }: ConfigForm,
  path: readonly PropertyKey[],
): Promise<string> {
  const { knownKeys } = await import("./json-schema.ts")
  return `${unknown} (known here: ${knownKeys(schema, path).join(", ")})`
}

/** The node at a place, or the one around it when the place itself is missing. */
function nearest({ findNodeAtLocation }: Jsonc, tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const segments = path.slice(0, length).map(key => (typeof key === "number" ? key : String(key)))
    const node = findNodeAtLocation(tree, segments)
    if (node !== undefined) return node
  }
  return tree
}

/** A value begins with its key. */
function startOf(node: Node): number {
  return node.parent?.type === "property" ? node.parent.offset : node.offset
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length
}

function toLower(letter: string): string {
  return letter.toLowerCase()
}
