import type { Rule } from "@harness/protocol"

/**
 * What a rule is about, as a person reads it before it is saved: `the command npm test …`,
 * `write src/**`.
 */
export function ruleInWords({ verdict, command, path, action, effect, permit }: Rule): string {
  const about = [
    ...(action === undefined ? [] : [`the action ${action}`]),
    ...(command === undefined ? [] : [`the command ${command} …`]),
    ...(path === undefined ? [] : [`${effect ?? "use"} ${path}`]),
    ...(path === undefined && effect !== undefined ? [effect] : []),
    ...(permit === undefined ? [] : [`with the permit ${permit}`]),
  ]
  return `${verdict} ${about.join(", ") || "everything"}`
}
