import type { AuditFinding, AuditReport, DurableEvent } from "@harness/protocol"
import type { Walk } from "../conversation/chain.ts"
import type { PlaceholdersAt } from "../conversation/places-file.ts"
import { parseRecord } from "../conversation/records.ts"
import type { StoredHead } from "../conversation/stored-head.ts"

export type AuditedLog = {
  report: AuditReport["log"]
  findings: AuditFinding[]
  /** Null when the records cannot be relied on. */
  events: DurableEvent[] | null
}

/** Checks the chain, each record, and the head that is stored beside the log. */
export function auditLog(
  walk: Walk,
  {
    stored,
    placeholders,
    isOpen,
  }: { stored: StoredHead; placeholders: PlaceholdersAt; isOpen: boolean },
): AuditedLog {
  const records = walk.contents.length
  const stored_seq = stored.status === "found" ? stored.head.seq : null
  const report = (state: AuditReport["log"]["state"]) => ({ state, records, stored_seq })
  if (walk.status === "damaged") {
    const detail = `record ${walk.record}: ${walk.reason}`
    return { report: report("damaged"), findings: [altered(detail)], events: null }
  }

  const { events, problems } = parsedRecords(walk, placeholders)
  const findings = [...problems, ...events.flatMap(event => toldBy(event, walk.heads))]
  if (walk.tornBytes > 0 && !isOpen) {
    findings.push(
      altered(`after record ${records} come ${walk.tornBytes} bytes that are no record`),
    )
  }
  findings.push(...headFindings(stored, walk))

  const isClosed = stored_seq === records && walk.tornBytes === 0
  const state = isOpen ? "open" : isClosed ? "closed" : "unclosed"
  return {
    report: report(problems.length > 0 ? "damaged" : state),
    findings,
    events: problems.length > 0 ? null : events,
  }
}

function parsedRecords(walk: Walk, placeholders: PlaceholdersAt) {
  const events: DurableEvent[] = []
  const problems: AuditFinding[] = []
  for (const [index, content] of walk.contents.entries()) {
    const parsed = parseRecord(content, index + 1, placeholders(index + 1))
    if (parsed.status === "event") events.push(parsed.event)
    else problems.push(altered(`record ${index + 1}: ${parsed.reason}`))
  }
  return { events, problems }
}

/** What a record itself says against the log: a head that is not the one before it, or a loss. */
function toldBy(event: DurableEvent, heads: readonly string[]): AuditFinding[] {
  if (event.type === "turn_ended" && event.head !== heads[event.seq - 1]) {
    return [altered(`record ${event.seq}: its head is not the one before it`)]
  }
  if (event.type !== "notice") return []
  const loss = losses.get(event.code)
  return loss ? [{ ...loss, detail: `record ${event.seq}: ${event.message}` }] : []
}

const logPlace = "log.jsonl"
const headPlace = "head.json"

/** Notices of what an opening found: going on with the log does not make it whole. */
const losses = new Map<string, Pick<AuditFinding, "status" | "place">>([
  ["log_cut", { status: "missing", place: logPlace }],
  ["head_invalid", { status: "altered", place: headPlace }],
  ["head_missing", { status: "missing", place: headPlace }],
])

/** The end of a log, which its chain cannot speak of. */
function headFindings(stored: StoredHead, { contents, heads }: Walk): AuditFinding[] {
  if (stored.status === "invalid") {
    return [{ status: "altered", place: headPlace, detail: "it is not what harness writes" }]
  }
  if (stored.status === "missing") {
    const detail = "without it nothing proves that the end of the log was not cut off"
    return [{ status: "missing", place: headPlace, detail }]
  }

  const { seq, hash } = stored.head
  if (seq > contents.length) {
    const detail = `records ${contents.length + 1} to ${seq}: ${headPlace} names the last of them`
    return [{ status: "missing", place: logPlace, detail }]
  }
  return heads[seq] === hash ? [] : [altered(`record ${seq}: it is not the one of ${headPlace}`)]
}

function altered(detail: string): AuditFinding {
  return { status: "altered", place: logPlace, detail }
}
