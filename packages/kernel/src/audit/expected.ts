import { hash } from "node:crypto"
import type { DurableEvent, EvidenceLink, ProcessReceipt } from "@harness/protocol"
import { indexOf } from "../evidence/index-lines.ts"
import { textLinksOf } from "../evidence/text-links.ts"
import { imageLinksOf } from "../images/links.ts"

/** What a file must hold: bytes of a hash, or exactly this text. */
export type ExpectedContent = { sha256: string; bytes: number } | { text: string }

/** A file that the log says is there. */
export type ExpectedFile = {
  /** Relative to the conversation's folder. */
  place: string
  /** What is counted as one: a payload, a process, a program. */
  group: "payload" | "process" | "program" | "index"
  /** What it belongs to within the group: a hash, a process's id, a program's number. */
  owner: string
  content: ExpectedContent
  /** Of its content. */
  sha256: string
  /** A tombstone says that its content is gone for good. */
  redacted: boolean
  /** Of a process that could not be started, perhaps because nothing could be kept. */
  mayBeAbsent: boolean
}

/** All that a log says of the files beside it. */
export type Expected = {
  files: ReadonlyMap<string, ExpectedFile>
  /** Contents that tombstones speak of, and the reason. */
  redacted: ReadonlyMap<string, string | null>
  /** Places that records name and whose content none tells: of a process without an end. */
  untold: ReadonlySet<string>
  /** The last `artifacts_collected`: what stands before it is gone, on record. */
  collected: Extract<DurableEvent, { type: "artifacts_collected" }> | null
}

/** Works out from the records alone what a conversation keeps. */
export function expectedOf(events: readonly DurableEvent[]): Expected {
  const collected = events.findLast(event => event.type === "artifacts_collected") ?? null
  const since = events.slice(collected?.seq ?? 0)
  const redacted = redactionsOf(events)
  const files = new Map<string, ExpectedFile>()
  const untold = new Set<string>()
  const add = (file: Named) => {
    const sha256 = sha256Of(file.content)
    files.set(file.place, {
      mayBeAbsent: false,
      ...file,
      sha256,
      redacted: redacted.has(sha256),
    })
  }

  for (const link of since.flatMap(linksOf)) {
    if (link.withheld === true) continue
    const { sha256, bytes } = link
    const content = { sha256, bytes }
    add({ place: payloadPlace(sha256), group: "payload", owner: sha256, content })
  }
  const index = indexOf(events).join("")
  if (index !== "") {
    add({ place: indexPlace, group: "index", owner: "", content: { text: index } })
  }
  for (const receipt of lastReceipts(since).values()) {
    for (const file of filesOfProcess(receipt)) {
      if (receipt.status === "running") untold.add(file.place)
      else add(file)
    }
  }
  for (const file of filesOfPrograms(since)) add(file)
  return { files, redacted, untold, collected }
}

/** The hashes whose content is gone for good, with the reasons. */
export function redactionsOf(events: readonly DurableEvent[]): Map<string, string | null> {
  const redactions = events.flatMap(event =>
    event.type === "evidence_redacted" ? [[event.sha256, event.reason] as const] : [],
  )
  return new Map(redactions)
}

/** The payloads that a record links. */
export function linksOf(event: DurableEvent): readonly EvidenceLink[] {
  if (event.type === "action_ended") return event.receipt.evidence
  if (event.type === "user_message") return imageLinksOf(event.message)
  return event.type === "process_ended" ? event.evidence : textLinksOf(event)
}

/** The receipt of a process that a record holds. */
export function receiptOf(event: DurableEvent): ProcessReceipt | undefined {
  if (event.type === "action_ended") return event.receipt.process
  return event.type === "process_ended" ? event.process : undefined
}

export function payloadPlace(sha256: string): string {
  return `artifacts/evidence/${sha256.slice(0, 2)}/${sha256}`
}

const indexPlace = "artifacts/evidence/index.jsonl"

function sha256Of(content: ExpectedContent): string {
  return "sha256" in content ? content.sha256 : hash("sha256", content.text)
}

type Named = Omit<ExpectedFile, "sha256" | "redacted" | "mayBeAbsent"> & { mayBeAbsent?: boolean }

/** A process that runs on has several receipts; the last one counts. */
function lastReceipts(events: readonly DurableEvent[]): Map<string, ProcessReceipt> {
  const receipts = events.flatMap(event => receiptOf(event) ?? [])
  return new Map(receipts.map(receipt => [receipt.id, receipt]))
}

function filesOfProcess(receipt: ProcessReceipt): Named[] {
  const { id, output_sha256, output_bytes } = receipt
  const folder = `artifacts/processes/${id}`
  const mayBeAbsent = receipt.status === "not_started"
  const owned = { group: "process" as const, owner: id, mayBeAbsent }
  return [
    {
      place: `${folder}/output`,
      ...owned,
      content: { sha256: output_sha256, bytes: output_bytes },
    },
    {
      place: `${folder}/receipt.json`,
      ...owned,
      content: { text: `${JSON.stringify(receipt)}\n` },
    },
  ]
}

/** A program that nobody let run, or that there was no room for, keeps nothing. */
function filesOfPrograms(events: readonly DurableEvent[]): Named[] {
  const sources = new Map<number, string>()
  return events.flatMap(event => {
    if (event.type === "program_started") sources.set(event.program, event.source)
    if (event.type !== "program_ended") return []
    if (event.status === "denied" || event.output_kept === false) return []

    const { program, output_sha256: sha256, output_bytes: bytes } = event
    const folder = `artifacts/programs/${program}`
    const owned = { group: "program" as const, owner: String(program) }
    const text = sources.get(program) ?? ""
    return [
      { place: `${folder}/source`, ...owned, content: { text } },
      { place: `${folder}/output`, ...owned, content: { sha256, bytes } },
    ]
  })
}
