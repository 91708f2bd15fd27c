import { dollars, grouped } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import { clipped } from "../../text/width.ts"
import type { Look, Styled } from "../contracts.ts"
import type { Status } from "./view.ts"

/**
 * What is always in sight, in one line: model, mode, context use, tokens, cost, running services. What
 * matters least goes first where it is narrow.
 *
 * @example
 * "m · tools · gate · 34% of 200k · 1,234 in 56 out · $0.0312 · 1 service: npm run dev"
 */
export function statusLine(status: Status, { theme, columns }: Look): Styled {
  const parts: { text: string; keep: number }[] = [
    { text: visible(status.model.slice(status.model.indexOf("/") + 1)), keep: 4 },
    { text: status.style, keep: 2 },
    { text: status.approve, keep: 5 },
    ...(status.sandbox === "off" ? [{ text: "sandbox off", keep: 6 }] : []),
    { text: contextOf(status), keep: 7 },
    { text: `${short(status.inputTokens)} in ${short(status.outputTokens)} out`, keep: 1 },
    { text: costOf(status), keep: 8 },
    { text: servicesOf(status), keep: 3 },
  ].filter(({ text }) => text !== "")

  for (let keep = 1; keep < 8 && widthOf(parts) > columns; keep += 1) {
    const at = parts.findIndex(part => part.keep === keep)
    if (at !== -1) parts.splice(at, 1)
  }
  return theme.muted(clipped(joined(parts), columns))
}

function contextOf({ context: { tokens, window } }: Status): string {
  if (tokens === null) return window === null ? "" : `0% of ${short(window)}`
  if (window === null) return `${short(tokens)} tokens`
  return `${Math.round((100 * tokens) / window)}% of ${short(window)}`
}

function costOf({ cost: { usd, unknown } }: Status): string {
  if (!unknown) return dollars(usd)
  return usd === 0 ? "cost unknown" : `≥ ${dollars(usd)}`
}

function servicesOf({ services }: Status): string {
  if (services.length === 0) return ""
  const names = services.map(({ command }) => clipped(visible(command), 24)).join(", ")
  return `${services.length} ${services.length === 1 ? "service" : "services"}: ${names}`
}

/** `950`, `12.3k`, `200k`, `1.05M`. */
function short(count: number): string {
  if (count < 1_000) return grouped(count)
  if (count < 1_000_000) return `${figure(count / 1_000)}k`
  return `${figure(count / 1_000_000)}M`
}

function figure(count: number): string {
  const digits = count >= 100 ? 0 : count >= 10 ? 1 : 2
  return count.toFixed(digits).replace(/\.?0+$/, match => (match.startsWith(".") ? "" : match))
}

function joined(parts: readonly { text: string }[]): string {
  return parts.map(({ text }) => text).join(" · ")
}

function widthOf(parts: readonly { text: string }[]): number {
  return joined(parts).length
}
