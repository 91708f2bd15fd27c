import { hash } from "node:crypto"
import type { DurableEvent, EventBody, EvidenceLink, FileState, Origin } from "@harness/protocol"
import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { changesOf } from "../../src/changes/changes.ts"
import { at } from "../conversation/support/open-log.ts"
import { thrownBy } from "../support/temporary.ts"

const sha256 = (text: string) => hash("sha256", text)
const conversation = "c0ffee000001"

function numbered(bodies: readonly EventBody[]): DurableEvent[] {
  return bodies.map((body, index) =>
    body.type === "turn_ended"
      ? { seq: index + 1, at, ...body, head: "0".repeat(64) }
      : { seq: index + 1, at, ...body },
  )
}

function changes(bodies: readonly EventBody[], turn: number | null = null) {
  return changesOf(numbered(bodies), { conversation, turn })
}

let actions = 0

/** An action of a turn with what it left. */
function acted(
  left: { evidence?: EvidenceLink[]; files?: Listed[]; error?: string; truncated?: true },
  { turn = 1, origin }: { turn?: number; origin?: Origin } = {},
): EventBody[] {
  const action_id = `a${++actions}`
  const { evidence = [], files, error, truncated = false } = left
  return [
    {
      type: "action_proposed",
      turn,
      step: 1,
      action_id,
      origin: origin ?? { type: "call", call_id: "c1" },
      environment: "project",
      action: "any",
      effect: "write",
      input: {},
      verdict: "allow",
      rule: "mode:none",
    },
    {
      type: "action_ended",
      action_id,
      action: "any",
      result: error === undefined ? {} : { error },
      receipt: {
        status: error === undefined ? "ok" : "error",
        elapsed_ms: 1,
        evidence_bytes: 0,
        evidence,
        ...(files && { process: { ...process, changes: { files, truncated } } }),
      },
    },
  ]
}

type Listed = { path: string; before: FileState | null; after: FileState | null }

const process = {
  id: "12345678",
  status: "exited" as const,
  exit_code: 0,
  signal: null,
  elapsed_seconds: 1,
  output_bytes: 0,
  dropped_bytes: 0,
  output_sha256: sha256(""),
  output_id: "output:12345678",
  truncated: false,
}

function link(role: string, path: string, text: string, withheld?: true): EvidenceLink {
  return { role, sha256: sha256(text), bytes: text.length, path, ...(withheld && { withheld }) }
}

function wrote(path: string, before: string | null, after: string): { evidence: EvidenceLink[] } {
  const befores = before === null ? [] : [link("before", path, before)]
  return { evidence: [...befores, link("after", path, after)] }
}

function state(text: string | null, mode = 0o644): FileState {
  const bytes = text?.length ?? 5
  return { type: "file", bytes, mode, sha256: text === null ? null : sha256(text) }
}

function commanded(path: string, before: string, after: string): Parameters<typeof acted>[0] {
  return {
    files: [{ path, before: state(before), after: state(after) }],
    evidence: [link("command_before", path, before), link("command_after", path, after)],
  }
}

const turnStarted: EventBody = { type: "turn_started", turn: 1 }
const kept = (text: string) => ({
  sha256: sha256(text),
  bytes: text.length,
  type: "file",
  content: "kept",
})

test("of a file that actions changed twice, what was before the first and after the last counts", () => {
  const events = [
    ...acted(wrote("b.txt", "one", "two")),
    ...acted(wrote("a.txt", null, "new")),
    ...acted(wrote("b.txt", "two", "three")),
  ]
  expect(changes(events)).toEqual({
    files: [
      { path: "a.txt", by: "actions", before: null, after: kept("new") },
      { path: "b.txt", by: "actions", before: kept("one"), after: kept("three") },
    ],
    truncated: false,
  })
})

test("what commands changed is told apart, and a file that both changed is of both", () => {
  const made: Listed = { path: "c.txt", before: null, after: state("c") }
  const removed: Listed = { path: "d.txt", before: state("d", 0o755), after: null }
  const events = [
    ...acted(commanded("a.txt", "one", "two")),
    ...acted({ files: [made, removed], truncated: true }),
    ...acted(wrote("b.txt", "one", "two")),
    ...acted(commanded("b.txt", "two", "three")),
  ]
  const mode = 0o644
  expect(changes(events)).toEqual({
    files: [
      {
        path: "a.txt",
        by: "commands",
        before: { ...kept("one"), mode },
        after: { ...kept("two"), mode },
      },
      { path: "b.txt", by: "both", before: kept("one"), after: { ...kept("three"), mode } },
      {
        path: "c.txt",
        by: "commands",
        before: null,
        after: { ...kept("c"), mode, content: "not_kept" },
      },
      {
        path: "d.txt",
        by: "commands",
        before: { ...kept("d"), mode: 0o755, content: "not_kept" },
        after: null,
      },
    ],
    truncated: true,
  })
})

test("one turn's changes are those of its own actions", () => {
  const events = [
    turnStarted,
    ...acted(wrote("a.txt", "one", "two")),
    { ...turnStarted, turn: 2 },
    ...acted(wrote("a.txt", "two", "three"), { turn: 2 }),
  ]
  expect(changes(events, 2).files).toMatchObject([{ before: kept("two"), after: kept("three") }])
  expect(changes(events).files).toMatchObject([{ before: kept("one"), after: kept("three") }])
})

test("a turn that there was not is refused", async () => {
  const error = toFailure(await thrownBy(() => changes([turnStarted], 2)))
  expect(error.message).toBe("The conversation c0ffee000001 has no turn 2; it has 1.")
})

test("what came back to what it was, an action that failed and an undo are no changes", () => {
  const events = [
    ...acted(wrote("a.txt", "one", "two")),
    ...acted(commanded("a.txt", "two", "one")),
    ...acted({ ...wrote("b.txt", "one", "two"), error: "conflict" }),
    ...acted({ files: [{ path: "c.txt", before: null, after: state("c") }] }),
    ...acted({ files: [{ path: "c.txt", before: state("c"), after: null }] }),
    ...acted(wrote("d.txt", "one", "two"), { origin: { type: "undo" } }),
  ]
  expect(changes(events).files).toEqual([])
})

test("a change of permissions alone is one, and two contents that nobody read may differ", () => {
  const events = acted({
    files: [
      { path: "a.sh", before: state("a"), after: state("a", 0o755) },
      { path: "big.bin", before: state(null), after: state(null) },
    ],
  })
  expect(changes(events).files.map(({ path }) => path)).toEqual(["a.sh", "big.bin"])
})

test("of a content that is not at hand it says why", () => {
  const secret = { evidence: [link("before", ".env", "x", true), link("after", ".env", "y", true)] }
  const redaction: EventBody = {
    type: "evidence_redacted",
    sha256: sha256("one"),
    bytes: 3,
    reason: null,
  }
  const events = [...acted(secret), ...acted(wrote("a.txt", "one", "two")), redaction]
  const contents = (bodies: readonly EventBody[]) =>
    changes(bodies).files.map(({ path, before, after }) => [path, before?.content, after?.content])
  expect(contents(events)).toEqual([
    [".env", "withheld", "withheld"],
    ["a.txt", "redacted", "kept"],
  ])
  const collected: EventBody = { type: "artifacts_collected", files: 2, bytes: 6 }
  expect(contents([...events, collected])).toEqual([
    [".env", "withheld", "withheld"],
    ["a.txt", "redacted", "collected"],
  ])
})
