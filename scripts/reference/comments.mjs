import { readFileSync } from "node:fs"
import ts from "typescript"

/**
 * The comments that stand at a schema, so that the reference says what the source says.
 *
 * @typedef {{ doc: string, fields: Map<string, string> }} Comments `fields` by path: `limit`, or in
 *   a union `send.verify`, where the variant's own comment is at `send`
 */

/**
 * Reads the exported constants of a module and the TSDoc comments at them and in them.
 *
 * @param {string} file
 * @returns {Map<string, Comments>} by the constant's name
 */
export function commentsIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ESNext, true)
  const found = /** @type {Map<string, Comments>} */ (new Map())

  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      const fields = /** @type {Map<string, string>} */ (new Map())
      if (initializer) collect(initializer, [], fields)
      found.set(name.getText(), { doc: commentBefore(statement), fields })
    }
  }
  return found
}

/**
 * @param {ts.Node} node
 * @param {string[]} path
 * @param {Map<string, string>} fields
 */
function collect(node, path, fields) {
  if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) {
      const variant = variantOf(element)
      if (variant !== undefined) add(fields, [...path, variant], commentBefore(element))
      collect(element, variant === undefined ? path : [...path, variant], fields)
    }
  } else if (ts.isPropertyAssignment(node)) {
    const inner = [...path, node.name.getText()]
    add(fields, inner, commentBefore(node))
    collect(node.initializer, inner, fields)
  } else {
    ts.forEachChild(node, child => collect(child, path, fields))
  }
}

/**
 * The word that tells a union's variant apart: its `type`, or its `status`.
 *
 * @param {ts.Node} node
 */
function variantOf(node) {
  const text = node.getText()
  return /^z\.strictObject\(\{[^{}]*?\b(?:type|status): z\.literal\("(\w+)"\)/s.exec(text)?.[1]
}

/**
 * @param {Map<string, string>} fields
 * @param {string[]} path
 * @param {string} comment
 */
function add(fields, path, comment) {
  if (comment !== "") fields.set(path.join("."), comment)
}

/**
 * The last TSDoc comment before a node as one paragraph, without its example.
 *
 * @param {ts.Node} node
 */
function commentBefore(node) {
  const text = node.getSourceFile().text
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
  const last = ranges.map(({ pos, end }) => text.slice(pos, end)).findLast(isDoc)
  if (last === undefined) return ""

  const [prose = ""] = last
    .slice(3, -2)
    .replaceAll(/^\s*\* ?/gm, "")
    .split("@example")
  return prose
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim()
}

/** @param {string} comment */
function isDoc(comment) {
  return comment.startsWith("/**")
}
