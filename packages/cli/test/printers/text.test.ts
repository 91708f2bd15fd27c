import { expect, test } from "vitest"
import { textPrinter } from "../../src/printers/text.ts"
import { paintFor } from "../../src/text/paint.ts"
import { widthOf } from "../../src/text/width.ts"
import { capture } from "../support/capture.ts"
import { fixedByProgram, readEvidence } from "../support/fixed-by-program.ts"
import { type Recorded, recorded } from "../support/recorded.ts"
import { troubledByTools } from "../support/troubled-by-tools.ts"
import { answered, failed, unverified } from "../support/turns.ts"

async function printed(events: readonly Recorded[], turn = answered, output = capture()) {
  const printer = textPrinter(output, paintFor(output, {}))
  for (const event of recorded(events)) printer.event(event)
  await printer.ended(turn, "0123456789ab", readEvidence)
  return output.text()
}

test("a run in programs style is told from the provider's notice to the conversation's id", async () => {
  expect(await printed(fixedByProgram)).toMatchInlineSnapshot(`
    "recorded model messages are replayed
    harness 0.1.0 · openai-compatible/qwen3-coder
    programs · approve none · sandbox off: commands run with your own authority

    I reproduce the bug first.

    program 1 · python
        text = read_file("src/parser.js")["text"]
        print(len(text))

        run_command(["node", "--test"])
      read_file src/parser.js · ok
      │ 90
      edit src/parser.js · 1 replacement from line 2
      run_command node --test · exit 0 · 0.21 s · 1,234 bytes
    program 1 · ok · 3 calls · 3 characters · 0.42 s

    It is fixed.

    verification: run_command node --test · exit 0 · 0.21 s · 1,234 bytes

    --- a/src/parser.js
    +++ b/src/parser.js
    @@ -1,3 +1,3 @@
     export function parse(text) {
    -  return text.split(",")
    +  return text.split(",").map(part => part.trim())
     }

    receipts
      run_command node --test
        exited · exit 0 · 0.21 s · 1,234 bytes · sha256 ab12cd34ef56
      run_command node --test
        exited · exit 0 · 0.21 s · 1,234 bytes · sha256 ab12cd34ef56

    step  model           in  out       cost  duration  outcome
    1     qwen3-coder  2,345   67    $0.0123     2.7 s  2 × ok · auto, exit 0 · auto
    2     qwen3-coder  3,456    8    unknown    0.10 s  final answer
    all                5,801   75  ≥ $0.0123     2.8 s

    verification passed · node --test
    answered · 2 steps · conversation 0123456789ab
    "
  `)
})

test("what goes wrong in tools style is named on each action's own line", async () => {
  expect(await printed(troubledByTools, failed)).toMatchInlineSnapshot(`
    "harness 0.1.0 · openai-compatible/m
    tools · approve none · sandbox off: commands run with your own authority
    run_command npm test ⏎ npm run lint · exit 1 · 0.21 s · 1,234 bytes
    write_file a.txt · denied (no approver)
    write_file b.txt · conflict
    run_command sleep 60 · cancelled · 0.21 s · 1,234 bytes
    read_file ^[]0;owned^G.txt · not found
    run_command npm ci · denied (permit:network)
      asks for the network: to install ⏎ all of it
    step 2 failed: openai-compatible did not answer for m: the stream was cut.

    receipts
      run_command npm test ⏎ npm run lint
        exited · exit 1 · 0.21 s · 1,234 bytes · sha256 ab12cd34ef56
      run_command sleep 60
        cancelled · ended by SIGTERM · 0.21 s · 1,234 bytes · sha256 ab12cd34ef56

    step  model       in      out     cost  duration  outcome
    1     m      unknown  unknown  unknown     1.4 s  exit 1 · auto, 2 × denied, co…
    2     m            0        0  $0.0000    0.10 s  provider_failed
    all          unknown  unknown  unknown     1.5 s

    failed · 2 steps · conversation 0123456789ab
    "
  `)
})

test("no line is wider than a terminal of 80 columns", async () => {
  const text = (await printed(fixedByProgram)) + (await printed(troubledByTools, failed))
  expect(text.split("\n").filter(line => widthOf(line) > 80)).toEqual([])
})

test("colours are for terminals alone", async () => {
  const colour = "\u001b["
  expect(await printed(fixedByProgram)).not.toContain(colour)
  expect(await printed(fixedByProgram, answered, capture({ isTTY: true, columns: 80 }))).toContain(
    colour,
  )
})

test("a message that was not streamed is shown when its step ends", async () => {
  expect(await printed(fixedByProgram)).toContain("\nIt is fixed.\n")
})

test("of a program's long output the beginning is shown", async () => {
  const lines = Array.from({ length: 30 }, (_value, index) => `line ${index + 1}`)
  const output: Recorded = {
    type: "program_output",
    program: 1,
    stream: "stdout",
    text: `${lines.join("\n")}\n`,
  }
  const text = await printed([output])
  expect(text).toContain("  │ line 20\n  │ …\n")
  expect(text).not.toContain("line 21")
})

test("a verification that fails shows the end of what its command printed", async () => {
  const output = Array.from({ length: 30 }, (_value, index) => `line ${index + 1}`).join("\n")
  const events = fixedByProgram.map(event =>
    event.type === "action_ended" && event.action_id === "a4" && event.receipt.process
      ? {
          ...event,
          result: { exit_code: 1, output },
          receipt: { ...event.receipt, process: { ...event.receipt.process, exit_code: 1 } },
        }
      : event,
  )

  const text = await printed(events, unverified)
  expect(text).toContain(
    "verification: run_command node --test · exit 1 · 0.21 s · 1,234 bytes\n  │ line 11\n",
  )
  expect(text).toContain("  │ line 30\n\n--- a/src/parser.js\n")
})

test("a search that uses a process is told by its result, and is no receipt", async () => {
  const events = fixedByProgram.map(event => {
    if (event.type === "action_proposed" && event.action_id === "a3") {
      return { ...event, action: "search_files", effect: "read" as const }
    }
    if (event.type === "action_ended" && event.action_id === "a3" && event.receipt.process) {
      const process = { ...event.receipt.process, exit_code: 1 }
      const summary = "search needle · 0 matches"
      return { ...event, action: "search_files", summary, receipt: { ...event.receipt, process } }
    }
    return event
  })

  const text = await printed(events)
  expect(text).toContain("\n  search needle · 0 matches\nprogram 1 · ok")
  expect(text).not.toContain("exit 1")
})

test("a compaction is told in one line, and one that failed by its reason", async () => {
  const place = { turn: 1, step: 9, model: "openai-compatible/qwen3-coder" }
  const usage = {
    input_tokens: 6_900,
    cached_input_tokens: 6_000,
    output_tokens: 200,
    reasoning_tokens: null,
  }
  const ended = {
    type: "compaction_ended" as const,
    ...place,
    attempt: 1,
    kept: 6,
    evidence: [],
    usage,
    cost: null,
    duration_ms: 900,
  }
  const text = await printed([
    {
      ...ended,
      status: "failed",
      reason: "the summary was cut off",
      messages: [],
      replaced: 0,
      tokens: { before: 7_412, after: 7_412 },
    },
    {
      ...ended,
      attempt: 2,
      status: "compacted",
      messages: [{ role: "user", content: [{ type: "text", text: "The record." }] }],
      replaced: 41,
      tokens: { before: 7_412, after: 1_105 },
    },
  ])
  expect(text).toContain(
    "compaction failed: the summary was cut off\ncompacted: 41 messages into 1, 7,412 → 1,105 tokens\n",
  )
})
