import { type CommandContainment, type PermitWanted, z } from "@harness/sdk"
import { commandLine } from "./text/command-line.ts"

/** Why a command needs the network: to give a reason is to ask for it. */
export const NetworkReason = z.string().min(1).nullable().default(null)

/** The leave that such a reason asks for. */
export function networkWanted(reason: string | null): PermitWanted[] {
  return reason === null ? [] : [{ permit: "network", reason }]
}

/** What holds a command back, in words for the person who is shown it. */
export function containmentWords(
  { sandbox, network }: CommandContainment,
  reason: string | null,
): string {
  if (sandbox === "off") return "no sandbox: it runs with your own authority"
  const online = network ? "network on" : "network off"
  const granted = reason === null || network ? online : `network: ${commandLine([reason])}`
  return `sandboxed · writes only in the folder · ${granted}`
}
