import { settings } from "../../packages/kernel/src/config/overrides.ts"
import { Config, Limits } from "../../packages/protocol/src/index.ts"
import { code, page, table } from "./markdown.mjs"
import { definitions, fieldTable, grouped, jsonSchema, typeOf } from "./schema.mjs"

/** @typedef {Map<string, import("./comments.mjs").Comments>} AllComments */

/** @param {AllComments} comments */
export function configPage(comments) {
  const { Config: config = {}, ...types } = definitions(
    jsonSchema(Config, { title: "", io: "input" }),
  )
  const own = comments.get("Config")
  const { environment = {} } = config.properties ?? {}
  return page("Configuration", [
    own?.doc ?? "",
    "As JSON Schema: [config.schema.json](config.schema.json). In prose: [configuration](../guide/configuration.md).",
    fieldTable(config, { comments: own, leaveOut: ["environment", "limits"] }),
    "## `environment`",
    fieldTable(environment, { comments: own, at: "environment" }),
    "## `limits`",
    "See [limits](limits.md).",
    "## What goes before the file",
    "A flag of `harness run` goes before the variable, the variable before the file. An empty variable is none.",
    overridesTable(),
    "## Types",
    ...["ApproveMode", "Effect", "Price", "Rule", "Sandbox", "Style"].flatMap(name => {
      const shape = types[name] ?? {}
      const fields = fieldTable(shape, { comments: comments.get(name) })
      return [`### ${name}`, comments.get(name)?.doc ?? "", fields === "" ? typeOf(shape) : fields]
    }),
  ])
}

/** @param {AllComments} comments */
export function limitsPage(comments) {
  const { Limits: limits = {} } = definitions(jsonSchema(Limits, { title: "", io: "input" }))
  const own = comments.get("Limits")
  const rows = Object.entries(limits.properties ?? {}).map(([name, field]) => [
    code(name),
    typeof field.default === "number" ? grouped(field.default) : "none",
    typeOf(field),
    own?.fields.get(name) ?? "",
  ])
  return page("Limits", [own?.doc ?? "", table(["key", "default", "type", "meaning"], rows)])
}

function overridesTable() {
  const rows = settings.map(({ flag, path, variable }) => [
    code(path.join(".")),
    code(`--${flag.replace("_", "-")}`),
    code(variable?.name ?? ""),
  ])
  return table(["key", "flag", "variable"], rows)
}
