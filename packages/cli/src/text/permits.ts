import type { Permit, PermitWanted } from "@harness/protocol"
import { visible } from "./visible.ts"
import { oneLine } from "./width.ts"

/** What is asked leave for, one line each: `asks for the network: to install dependencies`. */
export function permitLines(permits: readonly PermitWanted[] = []): string[] {
  return permits.map(
    ({ permit, reason }) => `asks for ${subjects[permit]}: ${oneLine(visible(reason))}`,
  )
}

const subjects: Record<Permit, string> = {
  control_file: "a control file",
  network: "the network",
  secret_file: "a secret file",
}
