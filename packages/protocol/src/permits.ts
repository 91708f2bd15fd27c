import * as z from "zod"

/**
 * What an action may need leave for beyond its effect: to write a control file (one that makes the
 * host run code), to read a secret file, to let one command use the network. Asked for in the modes
 * `gate` and `programs`, denied in the others, unless a rule of the user allows it by path or permit.
 */
export const Permit = z.enum(["control_file", "secret_file", "network"])
export type Permit = z.infer<typeof Permit>

/** Something that an action needs leave for, and why: `{permit: "network", reason: "to install"}`. */
export const PermitWanted = z.strictObject({ permit: Permit, reason: z.string() })
export type PermitWanted = z.infer<typeof PermitWanted>
