import { expect, test } from "vitest"
import * as z from "zod"
import { defineAction, defineKind, defineToolView } from "../../src/index.ts"
import { describeKind } from "../../src/testing/index.ts"
import { problemsOfAction, problemsOfKind, problemsOfTool } from "../../src/testing/kind-rules.ts"

const readNote = defineAction({
  name: "read_note",
  description: "Reads a note.",
  effect: "read",
  returns: "{text}",
  input: z.object({ name: z.string(), limit_bytes: z.int().default(100) }),
  run: async () => ({ text: "" }),
})

const runNote = defineAction({
  name: "run_note",
  description: "Runs a note.",
  effect: "execute",
  returns: "{exit_code}",
  input: z.object({ command: z.string() }),
  preview: async () => ({ preview: { format: "command", title: "run", text: "" }, basis: null }),
  run: async () => ({ exit_code: 0 }),
})

const notes = defineKind({
  name: "notes",
  description: "A folder of notes.",
  actions: [readNote, runNote],
  tools: [
    defineToolView({
      name: "note",
      description: "Reads a note.",
      input: z.object({ name: z.string() }),
      plan: input => ({ action: "read_note", input }),
      present: () => "",
    }),
  ],
  verify: command => ({ action: "run_note", input: { command } }),
})

describeKind(notes)

test("a kind that verifies with input that its action does not take is named", () => {
  const wrong = defineKind({
    ...notes,
    description: "notes",
    actions: [readNote, readNote, runNote],
    verify: line => ({ action: "run_note", input: { line } }),
  })

  expect(problemsOfKind(wrong)).toEqual([
    "Its description is not a sentence.",
    "Two actions have the name read_note.",
    "It verifies with input that run_note does not take.",
  ])
})

test("an action that writes without a preview, with names in camelCase, is named for each", () => {
  const wrong = defineAction({
    name: "writeNote",
    description: "writes",
    effect: "write",
    returns: "text",
    input: z.object({ dryRun: z.boolean().optional(), name: z.string() }),
    run: async () => ({}),
  })

  expect(problemsOfAction(wrong)).toEqual([
    "The name writeNote is not in snake_case.",
    "Its description is not a sentence.",
    "`returns` does not name the result's keys in {}.",
    "It does more than look, and has no preview to show to a person.",
    "The parameter dryRun is not in snake_case.",
    "The parameter name must be given, but follows one that need not be.",
  ])
})

test("a tool whose input is no JSON Schema is named", () => {
  const wrong = defineToolView({
    name: "note",
    description: "Reads a note.",
    input: z.object({ when: z.date() }),
    plan: () => ({ action: "read_note", input: {} }),
    present: () => "",
  })

  expect(problemsOfTool(wrong)).toEqual(["Its input cannot be expressed as a JSON Schema."])
})
