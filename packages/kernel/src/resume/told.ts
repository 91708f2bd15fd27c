import type { DurableEvent, JsonObject, Repository } from "@harness/protocol"
import { harnessEnded } from "../conversation/lost-call.ts"
import type { Before } from "./before.ts"
import type { ComparedFiles } from "./files.ts"
import { turnLost } from "./lost.ts"

type Proposal = Extract<DurableEvent, { type: "action_proposed" }>

export type Surroundings = {
  /** What happened since the conversation was opened last, with the ends of what was lost. */
  session: readonly DurableEvent[]
  /** Proposals by action: an end does not say what was asked for. */
  proposals: ReadonlyMap<string, Proposal>
  was: Pick<Before, "settings" | "kind" | "repository">
  now: {
    settings: Before["settings"]
    kind: string
    repository: Repository | null
    /** The temporary folder: a new one, in place of the one that was. */
    temp: string
  }
  files: ComparedFiles
}

/**
 * What a conversation's model is told with the next message: what is not as it was when it last
 * looked. Null when that is nothing.
 */
export function toldOf({ session, proposals, was, now, files }: Surroundings): string | null {
  const lines = [
    ...endLines(session),
    ...unknownLines(session, proposals),
    ...repositoryLines(was.repository, now.repository),
    ...fileLines(files),
    ...goneLines(session, proposals, { was, now }),
    ...settingLines(was.settings, now.settings),
  ]
  if (lines.length === 0) return null
  return ["harness resumed this conversation. What is not as it was:", ...lines.map(asItem)].join(
    "\n",
  )
}

function asItem(line: string): string {
  return `- ${line}`
}

function endLines(session: readonly DurableEvent[]): string[] {
  const lost = session.some(event => event.type === "notice" && losses.has(event.code))
  const turn = session.findLast(event => event.type === "turn_ended")
  const wasCut = turn?.ending.status === "interrupted" && turn.ending.reason === turnLost
  return [
    ...(wasCut ? ["The last turn was cut off: harness ended in the middle of it."] : []),
    ...(lost ? ["The end of the record was lost: more may have happened than it tells."] : []),
  ]
}

/** Notices of records that are gone. */
const losses = new Set(["log_torn", "log_cut"])

/** Of what can be many, so many are named. */
const shown = 30

function unknownLines(
  session: readonly DurableEvent[],
  proposals: Surroundings["proposals"],
): string[] {
  const unknown = session.flatMap(event => {
    if (event.type !== "action_ended" || event.result.error !== harnessEnded) return []
    return event.receipt.status === "unknown" ? [subjectOf(event, proposals)] : []
  })
  if (unknown.length === 0) return []
  const what = listed(unknown)
  return [`Nobody saw the end of ${what}: it may have had its effect. Look before you repeat it.`]
}

function repositoryLines(was: Repository | null, now: Repository | null): string[] {
  if (was === null || now === null) {
    if (was !== null) return ["There is no git repository any more."]
    return now === null ? [] : ["There is a git repository now."]
  }
  const lines: string[] = []
  if (was.head !== now.head) {
    lines.push(`git HEAD was ${commit(was.head)}, and is ${commit(now.head)}.`)
  }
  const [before, after] = [was.dirty ?? null, now.dirty ?? null]
  if (before !== null && after !== null && before !== after) {
    lines.push(
      after
        ? "There were no uncommitted changes, and there are some."
        : "There were uncommitted changes, and there are none.",
    )
  }
  return lines
}

function commit(head: string | null): string {
  return head === null ? "without a commit" : head.slice(0, 12)
}

function fileLines({ changed, gone, appeared, notCompared }: ComparedFiles): string[] {
  const lines: string[] = []
  if (changed.length > 0) {
    lines.push(`Files that changed: ${listed(changed)}. Read them again before you change them.`)
  }
  if (gone.length > 0) lines.push(`Files that are gone: ${listed(gone)}.`)
  if (appeared.length > 0) lines.push(`Files that were not there and are: ${listed(appeared)}.`)
  if (notCompared > 0) lines.push(`${notCompared} more files were not compared.`)
  return lines
}

function goneLines(
  session: readonly DurableEvent[],
  proposals: Surroundings["proposals"],
  { was, now }: Pick<Surroundings, "was" | "now">,
): string[] {
  const services = session.flatMap(event => {
    if (event.type !== "process_ended" || !endedByUs.has(event.process.status)) return []
    return [`${subjectOf(event, proposals)}, ${event.process.output_id}`]
  })
  const programs = session.some(event => event.type === "program_started")
  const temp = session.some(event => mentions(event, now.temp))
  return [
    ...(was.kind !== null && was.kind !== now.kind
      ? [`The environment ${was.kind} is not open any more; ${now.kind} is.`]
      : []),
    ...(services.length > 0 ? [`Not running any more: ${listed(services)}.`] : []),
    ...(programs ? ["Variables of earlier programs are gone."] : []),
    ...(temp ? [`The temporary folder ${now.temp} is a new one, and empty.`] : []),
  ]
}

const endedByUs = new Set(["session_closed", "unknown"])

function mentions(event: DurableEvent, text: string): boolean {
  if (event.type !== "step_ended" && event.type !== "results") return false
  return JSON.stringify(event.message).includes(JSON.stringify(text).slice(1, -1))
}

function settingLines(was: Before["settings"], now: Before["settings"]): string[] {
  const lines: string[] = []
  if (was.model !== now.model) lines.push(`The model is ${now.model}, and was ${was.model}.`)
  if (was.style !== now.style) {
    lines.push(`You work with ${now.style} from here on; it was ${was.style}.`)
  }
  if (was.sandbox !== now.sandbox) {
    lines.push(
      now.sandbox === "os"
        ? "Commands run in a sandbox now."
        : "Commands do not run in a sandbox any more.",
    )
  }
  if (was.network !== now.network) {
    lines.push(now.network ? "Commands have the network now." : "Commands have no network now.")
  }
  return lines
}

/** An action in a few words: its name, and what it was about. */
function subjectOf(
  { action_id }: { action_id: string },
  proposals: Surroundings["proposals"],
): string {
  const proposed = proposals.get(action_id)
  if (proposed === undefined) return action_id
  const about = aboutOf(proposed.input)
  return about === "" ? proposed.action : `${proposed.action} (${about})`
}

function aboutOf(input: JsonObject): string {
  const first = Object.values(input)[0] ?? ""
  const text = typeof first === "string" ? first : JSON.stringify(first)
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > aboutCharacters ? `${line.slice(0, aboutCharacters)}…` : line
}

const aboutCharacters = 100

/** A name that holds a line break must not begin a line of ours. */
function listed(names: readonly string[]): string {
  const left = names.length - shown
  const few = names.slice(0, shown).map(name => name.replace(/\s+/g, " "))
  return few.join(", ") + (left > 0 ? ` and ${left} more` : "")
}
