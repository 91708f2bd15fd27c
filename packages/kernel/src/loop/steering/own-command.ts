import type { DurableEvent, Json, JsonObject } from "@harness/protocol"

/** Of the output, what the model is told: its end. */
const toldCharacters = 4_000

/**
 * What the model is told, with the next message, of a command that the user ran: the user's own doing,
 * which nobody asked it for.
 */
export function ownCommandTold(command: string, result: JsonObject): string {
  const { output, output_id: name, exit_code: code, status, error, message } = result
  const ended = typeof code === "number" ? `exit ${code}` : textOf(error ?? status ?? "unknown")
  const text = textOf(output ?? message ?? "").trimEnd()
  const end = text.slice(-toldCharacters)
  const cut = end === text && !isShortened(output) ? "" : `, the end of ${textOf(name ?? "more")}`
  return [`[The user ran this command themselves: ${ended}${cut}]`, `$ ${command}`, end]
    .filter(line => line !== "")
    .join("\n")
}

/** The same from a log, for commands whose message never came: after the last one of the user. */
export function ownCommandsIn(events: readonly DurableEvent[]): string[] {
  const commands = new Map(
    events.flatMap(event =>
      event.type === "action_proposed" && event.origin.type === "user"
        ? [[event.action_id, textOf(event.input.command ?? event.action)] as const]
        : [],
    ),
  )
  return events.flatMap(event => {
    if (event.type !== "action_ended") return []
    const command = commands.get(event.action_id)
    return command === undefined ? [] : [ownCommandTold(command, event.result)]
  })
}

/** The log keeps of a long text its beginning. */
function textOf(value: Json): string {
  if (typeof value === "string") return value
  if (!isShortened(value)) return JSON.stringify(value)
  const { head } = value.$text
  return typeof head === "string" ? head : ""
}

function isShortened(value: Json | undefined): value is { $text: JsonObject } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const text = value.$text
  return typeof text === "object" && text !== null && !Array.isArray(text)
}
