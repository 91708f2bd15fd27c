import { APICallError } from "@ai-sdk/provider"
import { z } from "@harness/sdk"
import { certificateFault } from "./certificate.ts"

/**
 * True when the same request can succeed later: the server was busy or broken, or the connection
 * was lost. A refusal of what was asked is not, and neither is a quota that is used up.
 */
export function mayPass(error: unknown): boolean {
  const fault = error instanceof Error && error.cause !== undefined ? innermostCause(error) : error
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders, responseBody } = error
    if (statusCode === undefined || statusCode < 300) return isLostConnection(fault)
    if (responseHeaders?.["x-should-retry"] === "false") return false
    return passingStatus(statusCode) && !/insufficient_quota/.test(responseBody ?? "")
  }

  const told = StreamError.safeParse(fault).data
  return (
    told?.isRetryable ??
    (isPassingWord(told?.type) || isPassingWord(told?.code) || isLostConnection(fault))
  )
}

/**
 * True when nobody can have billed the request: the server answered with a refusal, or there was no
 * server. One that was lost on its way may have been carried out.
 */
export function wasNeverTaken(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false
  if (error.statusCode !== undefined) return error.statusCode >= 300
  const root = innermostCause(error)
  if (certificateFault(root) !== undefined) return true
  return root instanceof Error && "code" in root && unreached.has(root.code)
}

const unreached = new Set<unknown>([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "ERR_PROXY_TUNNEL",
])

/**
 * How long the server asks to wait: its headers, else what Google puts into the body. A kept
 * connection that was reset says nothing about the server: a new one is made at once.
 */
export function retryAfterMs(error: unknown, nowMs: number): number | null {
  if (!APICallError.isInstance(error)) return null
  const root = innermostCause(error)
  if (root instanceof Error && "wasKept" in root) return 0
  const { responseHeaders = {}, responseBody } = error

  const ms = Number.parseFloat(responseHeaders["retry-after-ms"] ?? "")
  if (ms >= 0) return Math.ceil(ms)

  const after = responseHeaders["retry-after"]?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1_000)
  // Only whole dates: Date.parse makes something of almost any text with a number in it.
  const dateMs = /^[A-Za-z]{3}, \d/.test(after) ? Date.parse(after) : Number.NaN
  if (!Number.isNaN(dateMs)) return Math.max(0, Math.ceil(dateMs - nowMs))

  const [, seconds] = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(responseBody ?? "") ?? []
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1_000)
}

/** The innermost cause: outer ones say only that something failed. */
export function innermostCause(error: Error): unknown {
  return causesOf(error).at(-1)
}

/** The error, its cause, and so on to the innermost. */
export function causesOf(error: unknown): unknown[] {
  const causes = [error]
  for (let last = error; last instanceof Error && last.cause !== undefined; last = last.cause) {
    causes.push(last.cause)
  }
  return causes
}

/** An error event in a stream: as a library classed it, or else as the server put it. */
const StreamError = z.object({
  isRetryable: z.boolean().optional().catch(undefined),
  type: z.unknown().optional(),
  code: z.unknown().optional(),
})

/** Servers put a status or a word of their own. */
function isPassingWord(value: unknown): boolean {
  if (typeof value === "number") return passingStatus(value)
  return typeof value === "string" && passingWord.test(value)
}

const passingWord =
  /^(?:5\d\d|429|server_error|internal|overloaded|rate_limit|timeout|unavailable)/i

function passingStatus(status: number): boolean {
  if (status === 408 || status === 409 || status === 425 || status === 429) return true
  return status >= 500 && status !== 501 && status !== 505
}

/** Not ECONNREFUSED or ENOTFOUND: where nothing is, there will be nothing in a minute. */
const lostConnection = new Set(["ECONNRESET", "ETIMEDOUT", "EPIPE", "EAI_AGAIN", "ENETUNREACH"])

function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return "code" in error && typeof error.code === "string" && lostConnection.has(error.code)
}
