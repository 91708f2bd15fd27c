import type { JsonObject, ToolDefinition } from "@harness/protocol"
import type { KindDefinition, ToolView } from "@harness/sdk"
import type { Performer } from "../../scheduler/perform.ts"
import { toolsInstructions } from "../instructions/tools.ts"
import type { KnownFileTable } from "../known-files.ts"
import { schemaOf } from "../schema.ts"
import type { StyleCall, StyleResult, WorkingStyle } from "./style.ts"

/** The style `tools`: each call is one of the kind's views, and so one action. */
export function toolsStyle(parts: {
  kind: KindDefinition
  views: readonly ToolView[]
  performer: Performer
  known: KnownFileTable
}): WorkingStyle {
  const { kind, performer, known } = parts
  const views = new Map(parts.views.map(view => [view.name, view]))
  const effects = new Map(kind.actions.map(action => [action.name, action.effect]))

  async function run(call: StyleCall): Promise<StyleResult> {
    const { part, input, turn, step, limitBytes, signal } = call
    const view = views.get(part.tool)
    if (view === undefined) throw new Error(`the style offers no tool ${part.tool}`)
    const parsed = view.input.safeParse(input)
    if (!parsed.success) {
      const said = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
      return refused(part, { error: "invalid_arguments", message: said.join("; ") })
    }

    const room = { limitBytes }
    const planned = view.plan(input, known, room)
    if ("refused" in planned) {
      return refused(part, planned.refused, view.present(input, planned.refused, room))
    }
    const performed = await performer.perform({
      origin: { type: "call", call_id: part.id },
      turn,
      step,
      action: planned.action,
      input: planned.input,
      programApproved: false,
      signal,
    })
    if (performed.status === "invalid") {
      return refused(part, { error: "invalid_arguments", message: performed.message })
    }

    known.learn(performed.action, performed.input, performed.result)
    const { ran } = performed
    const edited = ran === null ? "" : `${JSON.stringify({ edited_by: "user", ran })}\n`
    const left = { limitBytes: Math.max(1, limitBytes - Buffer.byteLength(edited)) }
    const text =
      performed.status === "denied"
        ? JSON.stringify({ tool: part.tool, ...performed.result })
        : edited + view.present(input, performed.result, left)
    return {
      part: {
        type: "result",
        call_id: part.id,
        tool: part.tool,
        status: performed.outcome.status,
        text,
        ...(performed.images.length > 0 && { images: [...performed.images] }),
        actions: [performed.outcome],
      },
      reached: performed.exhausted ? "evidence" : null,
    }
  }

  return {
    instructions: toolsInstructions(kind),
    tools: parts.views.map(definitionOf),
    readsOnly(tool, input) {
      const view = views.get(tool)
      if (view === undefined || !view.input.safeParse(input).success) return true
      const planned = view.plan(input, known)
      if ("refused" in planned) return true
      const effect = effects.get(planned.action)
      return effect === "read" || effect === "observe"
    },
    run,
    warm() {},
    async dispose() {},
  }
}

function definitionOf(view: ToolView): ToolDefinition {
  return { name: view.name, description: view.description, parameters: schemaOf(view.input) }
}

function refused(
  part: StyleCall["part"],
  result: JsonObject & { error: string },
  text = JSON.stringify(result),
): StyleResult {
  return {
    part: { type: "result", call_id: part.id, tool: part.tool, status: result.error, text },
    reached: null,
  }
}
