import type { Json, JsonObject } from "@harness/protocol"
import type { ProgramFunction } from "@harness/sdk"
import { pythonName } from "./names.ts"

/** Arguments by name, or the sentence that Python's TypeError says. */
export type NamedArguments =
  | { status: "named"; input: JsonObject }
  | { status: "refused"; message: string }

/**
 * Maps a call's arguments to the function's parameters, as Python does for a function of its own.
 * A parameter that Python cannot write is also known by the name that it can (`from_` for `from`).
 * An explicit `None` for a parameter that may be left away counts as left away.
 */
export function nameArguments(
  callee: ProgramFunction,
  args: readonly Json[],
  kwargs: Readonly<JsonObject>,
): NamedArguments {
  const { name, parameters } = callee
  const call = `${pythonName(name)}()`
  if (args.length > parameters.length) {
    const most = parameters.length === 1 ? "1 argument" : `${parameters.length} arguments`
    return refuse(`${call} takes at most ${most} (${args.length} given)`)
  }

  const given = new Map(args.map((value, index) => [parameters[index]?.name ?? "", value]))
  for (const [keyword, value] of Object.entries(kwargs)) {
    const parameter =
      parameters.find(each => each.name === keyword) ??
      parameters.find(each => pythonName(each.name) === keyword)
    if (!parameter) {
      const known = parameters.map(each => pythonName(each.name)).join(", ") || "none"
      return refuse(`${call} got an unexpected keyword argument '${keyword}' (it takes: ${known})`)
    }
    if (given.has(parameter.name)) {
      return refuse(`${call} got multiple values for argument '${keyword}'`)
    }
    given.set(parameter.name, value)
  }

  const missing = parameters.filter(each => each.required && !given.has(each.name))
  if (missing.length > 0) {
    const names = missing.map(each => `'${pythonName(each.name)}'`).join(", ")
    return refuse(`${call} missing required argument${missing.length > 1 ? "s" : ""}: ${names}`)
  }
  const kept = parameters.filter(each => each.required || (given.get(each.name) ?? null) !== null)
  return {
    status: "named",
    input: Object.fromEntries(kept.map(each => [each.name, given.get(each.name) ?? null])),
  }
}

function refuse(message: string): NamedArguments {
  return { status: "refused", message }
}
