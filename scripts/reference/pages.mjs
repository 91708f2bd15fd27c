import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  configJsonSchema,
  projectConfigJsonSchema,
} from "../../packages/kernel/src/config/json-schema.ts"
import {
  CommandAnswer,
  ConversationEvent,
  catalogue,
  KernelCommand,
  Manifest,
} from "../../packages/protocol/src/index.ts"
import { commandLinePage } from "./command-line.mjs"
import { commentsIn } from "./comments.mjs"
import { configPage, limitsPage } from "./config.mjs"
import { code, page, table } from "./markdown.mjs"
import { definitions, fieldTable, jsonSchema, typeOf } from "./schema.mjs"

/** @typedef {import("./schema.mjs").Shown} Shown */

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const referenceFolder = join(root, "docs", "reference")

const modules = ["commands", "config", "endings", "events", "failures", "limits", "manifest"]
const others = ["passing-events", "messages", "receipts", "json"]

/**
 * The pages of docs/reference/, as they must stand there.
 *
 * @returns {{ name: string, text: string }[]}
 */
export function pages() {
  const files = [...modules, ...others].map(name => `packages/protocol/src/${name}.ts`)
  const comments = new Map(files.flatMap(file => [...commentsIn(join(root, file))]))
  return [
    { name: "cli.md", text: commandLinePage() },
    { name: "commands.md", text: commandsPage(comments) },
    { name: "config.md", text: configPage(comments) },
    { name: "events.md", text: eventsPage(comments) },
    { name: "failures.md", text: failuresPage() },
    { name: "limits.md", text: limitsPage(comments) },
    { name: "manifest.md", text: manifestPage(comments) },
  ]
}

/**
 * The JSON Schemas beside them, for editors and for faces in other languages.
 *
 * @returns {{ name: string, schema: object }[]}
 */
export function schemas() {
  const commands = {
    title: "a command to the kernel of harness",
    io: /** @type {const} */ ("input"),
  }
  return [
    { name: "config.schema.json", schema: configJsonSchema() },
    { name: "project-config.schema.json", schema: projectConfigJsonSchema() },
    { name: "events.schema.json", schema: eventsSchema() },
    { name: "commands.schema.json", schema: jsonSchema(KernelCommand, commands) },
    {
      name: "manifest.schema.json",
      schema: jsonSchema(Manifest, { title: "the harness key of a package.json", io: "input" }),
    },
  ]
}

function eventsSchema() {
  return jsonSchema(ConversationEvent, { title: "an event of a conversation", io: "output" })
}

/** @typedef {import("./config.mjs").AllComments} AllComments */

/** @param {AllComments} comments */
function eventsPage(comments) {
  const {
    DurableEvent,
    EphemeralEvent,
    ConversationEvent: _,
    ...types
  } = definitions(eventsSchema())
  return page("Events", [
    "What a face is told, what `harness run --json` prints (one line each), and, for those that are kept, what `log.jsonl` holds with one more key, `hash`. As JSON Schema: [events.schema.json](events.schema.json).",
    "## Kept",
    comments.get("DurableEvent")?.doc ?? "",
    "Every one has `seq` (integer > 0), `at` (ISO 8601, UTC) and `type`; `turn` and `step` count from 1.",
    ...variants(DurableEvent, comments.get("DurableEvent"), ["type", "seq", "at", "turn", "step"]),
    "## Passing",
    comments.get("EphemeralEvent")?.doc ?? "",
    `Every one has \`type\` and \`after\`. ${comments.get("passing")?.doc ?? ""}`,
    ...variants(EphemeralEvent, comments.get("EphemeralEvent"), ["type", "after"]),
    "## Types",
    ...typeSections(types, comments),
  ])
}

/** @param {AllComments} comments */
function commandsPage(comments) {
  const asked = definitions(jsonSchema(KernelCommand, { title: "", io: "input" }))
  const { CommandAnswer: answers, ...told } = definitions(
    jsonSchema(CommandAnswer, { title: "", io: "output" }),
  )
  const { KernelCommand: commands, OpenConversation, ...types } = { ...told, ...asked }
  const own = comments.get("OpenConversation")
  return page("Commands", [
    comments.get("KernelCommand")?.doc ?? "",
    "As JSON Schema: [commands.schema.json](commands.schema.json). What happens meanwhile comes as [events](events.md).",
    "## Asked",
    "### `open`",
    fieldTable(OpenConversation ?? {}, { comments: own, leaveOut: ["type"] }),
    ...variants(commands, comments.get("KernelCommand"), ["type"]),
    "## Answered",
    "Under the same `type`; `failed` instead of any.",
    ...variants(answers, comments.get("CommandAnswer"), ["type"]),
    "## Types",
    ...typeSections(types, comments),
  ])
}

/** @param {AllComments} comments */
function manifestPage(comments) {
  const schema = jsonSchema(Manifest, { title: "", io: "input" })
  const { Manifest: manifest = {}, ...types } = definitions(schema)
  const contributes = manifest.properties?.contributes ?? {}
  return page("Manifest", [
    comments.get("Manifest")?.doc ?? "",
    "As JSON Schema: [manifest.schema.json](manifest.schema.json). In prose: [packages](../guide/packages.md).",
    fieldTable(withoutInner(manifest), { comments: comments.get("Manifest") }),
    "## `contributes`",
    fieldTable(contributes, { comments: comments.get("Manifest"), at: "contributes" }),
    "### `name`",
    comments.get("Name")?.doc ?? "",
    "### `module`",
    `${comments.get("Module")?.doc ?? ""} Default: \`"."\`.`,
    "## Types",
    ...typeSections(types, comments),
  ])
}

/**
 * The field `contributes` has a section of its own.
 *
 * @param {Shown} manifest
 */
function withoutInner(manifest) {
  const properties = { ...manifest.properties, contributes: { type: "object" } }
  return { ...manifest, properties }
}

function failuresPage() {
  const byCode = Object.entries(catalogue).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const rows = byCode.map(([name, { message, next, exit }]) => [
    `[${name}](../errors/README.md#${name})`,
    String(exit),
    message,
    next,
  ])
  return page("Failures", [
    "What each one means and what to do: [errors](../errors/README.md). Words in braces are the failure's `details`.",
    table(["code", "exit", "message", "next"], rows),
  ])
}

/**
 * A section for each variant of a union that stands in place.
 *
 * @param {Shown | undefined} union
 * @param {import("./comments.mjs").Comments | undefined} comments
 * @param {readonly string[]} leaveOut
 */
function variants(union, comments, leaveOut) {
  return (union?.oneOf ?? []).flatMap(shape => {
    const type = shape.properties?.type?.const
    if (typeof type !== "string") return []
    const fields = fieldTable(shape, { comments, at: type, leaveOut })
    return [`### ${code(type)}`, comments?.fields.get(type) ?? "", fields]
  })
}

/**
 * @param {Record<string, Shown>} types
 * @param {AllComments} comments
 */
function typeSections(types, comments) {
  const named = Object.entries(types).filter(([name]) => !name.startsWith("__"))
  return named.sort(byName).flatMap(([name, shape]) => {
    const own = comments.get(name)
    const doc = own?.doc ?? ""
    const unions = shape.oneOf ?? []
    if (unions.some(one => one.properties !== undefined)) {
      return [`### ${name}`, doc, unions.map(one => `- ${typeOf(one)}`).join("\n")]
    }
    const fields = fieldTable(shape, { comments: own })
    return [`### ${name}`, doc, fields === "" ? typeOf(shape) : fields]
  })
}

/**
 * @param {[string, unknown]} one
 * @param {[string, unknown]} other
 */
function byName([one], [other]) {
  return one < other ? -1 : 1
}
