/**
 * Something that a command might try. Its script prints ESCAPED when it got through, or leaves a
 * file on the host that it must not be able to leave.
 */
export type Probe = {
  name: string
  /** For sh, in the root, with the variables of the world: HOME, ROOT, OUT, PROBE, … */
  script: string
  /** What is left when it got through; may name the world's variables. */
  leaves?: string
  /** What it says in the sandbox: an error that shows which rule held. */
  says: RegExp
  /** It gets through by design, and others report it; default `refused`. */
  outcome?: "allowed"
  /** Ends everything that it sees, so nothing runs beside it. */
  alone?: true
  control: Control
}

/** How we know that a probe would show an open door: the same without a sandbox. */
export type Control = {
  /**
   * `host`: as the same user on the host, because it does no harm. `root`: the same, where root
   * alone may do it. `namespace`: in namespaces that are thrown away.
   */
  in: "host" | "root" | "namespace"
  /** Another script that leads to the same door. */
  script?: string
  /** What it says when it got through; default ESCAPED. */
  says?: RegExp
  /** What it says where the machine itself has the door shut: the suite tells, for nothing is shown. */
  shut?: RegExp
}

/** The door is open on the host, as it is. */
export const onHost: Control = { in: "host" }
export const asRoot: Control = { in: "root" }
export const inNamespace: Control = { in: "namespace" }
/** What gets through by design does so on the host as well. */
export const allowedOnHost: Control = { in: "host", says: /allowed/ }
