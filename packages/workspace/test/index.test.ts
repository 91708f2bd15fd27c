import { describeKind } from "@harness/sdk/testing"
import { expect, test } from "vitest"
import * as z from "zod"
import { project } from "../src/index.ts"

describeKind(project)

/** The JSON Schema as a model is given it: without what tells it nothing. */
function schemaOf(input: z.ZodObject): string {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" })
  return JSON.stringify(schema).replaceAll(`,"maximum":${Number.MAX_SAFE_INTEGER}`, "")
}

test("the tools cost the model at most 2,000 bytes", () => {
  const tools = (project.tools ?? []).map(tool => ({
    name: tool.name,
    description: tool.description,
    parameters: JSON.parse(schemaOf(tool.input)),
  }))
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(2_000)
})

test("the actions' signatures and sentences cost the model at most 3,100 bytes", () => {
  const lines = project.actions.map(action => {
    const parameters = Object.entries(action.input.shape).map(([name, schema]) => {
      const given = schema instanceof z.ZodDefault ? JSON.stringify(schema.parse(undefined)) : null
      return given === null ? name : `${name}=${given.replace("null", "None")}`
    })
    return `${action.name}(${parameters.join(", ")}) -> ${action.returns}\n${action.description}\n`
  })
  expect(Buffer.byteLength(lines.join(""))).toBeLessThanOrEqual(3_100)
})

test("verification is a command line", () => {
  expect(project.verify?.("npm test")).toEqual({
    action: "run_command",
    input: { command: "npm test" },
  })
})
