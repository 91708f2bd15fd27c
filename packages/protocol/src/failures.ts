import * as z from "zod"
import { catalogue, type FailureCode, type FailureDetails } from "./catalogue.ts"

/** A failure as it crosses a boundary: in records, events and answers to commands. */
export const Failure = z.strictObject({
  code: z.string(),
  /** One sentence that names the thing and the value. */
  message: z.string(),
  /** What the reader can do now. */
  next: z.string(),
  /** The exit code of a command that ends with it. */
  exit: z.int(),
  details: z.record(z.string(), z.json()),
})
export type Failure = z.infer<typeof Failure>

const brand = Symbol.for("@harness/failure")

/**
 * The one error of harness. Its plain properties have the shape of {@link Failure}, so that it can
 * be sent as it is. Recognise it with {@link isFailure}: `instanceof` is false across two copies.
 */
export class HarnessFailure extends Error implements Failure {
  override readonly name = "HarnessFailure"
  readonly code: string
  readonly next: string
  readonly exit: number
  readonly details: Failure["details"]
  readonly [brand] = true

  constructor(plain: Failure, options?: ErrorOptions) {
    super(plain.message, options)
    this.code = plain.code
    this.next = plain.next
    this.exit = plain.exit
    this.details = plain.details
  }
}

/**
 * Makes the failure of a code in the catalogue.
 *
 * @example
 * throw failure("folder_missing", { folder })
 */
export function failure<Code extends FailureCode>(
  code: Code,
  details: FailureDetails<Code>,
  options?: ErrorOptions,
): HarnessFailure {
  return new HarnessFailure(describe(code, details), options)
}

/** True for a failure made by any copy of this package; with a code, only for that one. */
export function isFailure(error: unknown, code?: FailureCode): error is HarnessFailure {
  if (typeof error !== "object" || error === null || !(brand in error)) return false
  return code === undefined || ("code" in error && error.code === code)
}

/** The plain form of any error; what is not ours becomes `unexpected`, with its own message. */
export function toFailure(error: unknown): Failure {
  if (isFailure(error)) {
    const { code, message, next, exit, details } = error
    return { code, message, next, exit, details }
  }
  const reason = error instanceof Error ? error.message : String(error)
  return describe("unexpected", { reason })
}

function describe<Code extends FailureCode>(code: Code, details: FailureDetails<Code>): Failure {
  const entry = catalogue[code]
  const fields = new Map<string, z.core.util.JSONType>(Object.entries(details))
  const fill = (template: string) =>
    template.replace(/\{(\w+)\}/g, (_whole, name: string) => String(fields.get(name) ?? ""))
  return {
    code,
    message: fill(entry.message),
    next: fill(entry.next),
    exit: entry.exit,
    details: Object.fromEntries(fields),
  }
}
