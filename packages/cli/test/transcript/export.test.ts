import { hash } from "node:crypto"
import type { ConversationSummary, DurableEvent } from "@harness/protocol"
import fc from "fast-check"
import { lexer } from "marked"
import { describe, expect, test } from "vitest"
import { exportText } from "../../src/transcript/export.ts"
import {
  process,
  type Recorded,
  receipt,
  recorded,
  startedWith,
  step,
  usage,
} from "../support/recorded.ts"

const png = Buffer.from("89504e470d0a1a0a0000000d", "hex")
const contents = new Map(
  ["one\n", "two\n", png].map(content => [hash("sha256", content), Buffer.from(content)]),
)
const [one = "", two = "", picture = ""] = contents.keys()
const read = async (sha256: string) => contents.get(sha256) ?? null

const summary: ConversationSummary = {
  id: "0123456789ab",
  short_id: "012345",
  title: "Fix it",
  folder: "/srv/shop",
  remote: null,
  model: "vendor/model",
  started_at: "2026-01-01T00:00:00.000Z",
  active_at: "2026-01-01T00:00:01.000Z",
  turns: 1,
  steps: 2,
  cost: null,
  ending: { status: "answered" },
  open: false,
}

/** A conversation in which every text of somebody else is this one. */
function talk(text: string, extra: readonly Recorded[] = []): DurableEvent[] {
  const image = { evidence: picture, media_type: "image/png", width: 2, height: 2, bytes: 12 }
  const proposed = {
    type: "action_proposed" as const,
    ...step(1),
    environment: "project",
    verdict: "ask" as const,
    rule: "mode:gate",
  }
  const link = (role: string, sha256: string) => ({ role, sha256, bytes: 4, path: `a ${text}` })
  return recorded([
    startedWith({ style: "tools", model: "vendor/model" }),
    { type: "turn_started", turn: 1 },
    {
      type: "user_message",
      message: {
        role: "user",
        content: [
          { type: "text", text },
          { type: "image", ...image },
        ],
      },
    },
    { type: "step_started", ...step(1), model: "vendor/model" },
    {
      type: "step_ended",
      ...step(1),
      model: "vendor/model",
      message: {
        role: "assistant",
        content: [
          { type: "reasoning", text: `r${text}` },
          { type: "text", text: `t${text}` },
          {
            type: "call",
            id: "c1",
            tool: `edit${text}`,
            arguments: JSON.stringify({ path: text }),
          },
          { type: "call", id: "c2", tool: "bash", arguments: text },
        ],
      },
      finish: "tool_calls",
      usage: usage(1, 1),
      cost: null,
      duration_ms: 1,
      first_token_ms: null,
    },
    {
      ...proposed,
      action_id: "a1",
      origin: { type: "call", call_id: "c1" },
      action: "edit_file",
      effect: "write",
      input: { path: text },
    },
    {
      type: "request_opened",
      request: "r1",
      subject: { type: "action", action_id: "a1" },
      title: text,
      preview: { format: "diff", text },
    },
    { type: "request_answered", request: "r1", decision: "approve", by: "user", note: text },
    {
      type: "action_ended",
      action_id: "a1",
      action: "edit_file",
      result: {},
      receipt: { ...receipt, evidence: [link("before", one), link("after", two)] },
    },
    {
      ...proposed,
      action_id: "a2",
      origin: { type: "call", call_id: "c2" },
      action: "run_command",
      effect: "execute",
      input: { command: text },
    },
    {
      type: "action_ended",
      action_id: "a2",
      action: "run_command",
      result: {},
      receipt: { ...receipt, process: process("exited", 1) },
    },
    {
      type: "results",
      ...step(1),
      message: {
        role: "tool",
        content: [
          { type: "result", call_id: "c1", tool: "edit", status: "ok", text: `x${text}` },
          { type: "result", call_id: "c2", tool: "bash", status: "exited", text: `y${text}` },
        ],
      },
    },
    ...extra,
    { type: "notice", code: "provider", message: `n${text}` },
    {
      type: "turn_ended",
      turn: 1,
      ending: { status: "interrupted", reason: `i${text}` },
      verification: "not_requested",
      head: one,
    },
  ]).flatMap(event => ("seq" in event ? [event] : []))
}

const exported = (format: "markdown" | "html", text: string, extra: readonly Recorded[] = []) =>
  exportText({ summary: { ...summary, title: text }, events: talk(text, extra) }, { format, read })

describe("an export", () => {
  test("as Markdown has all that was said and done, with diffs and the step table", async () => {
    expect(await exported("markdown", "Fix it")).toMatchInlineSnapshot(`
      "# Fix it

      - conversation: \`0123456789ab\`
      - project: \`/srv/shop\`
      - model: \`vendor/model\`
      - from: \`2026-01-01T00:00:00.000Z to 2026-01-01T00:00:01.000Z\`
      - size: \`1 turn, 2 steps, cost unknown\`

      *2026-01-01T00:00:00.100Z · vendor/model · tools · approve none · sandbox off*

      ## Turn 1 · 2026-01-01T00:00:00.200Z

      **User**

      > Fix it

      Picture: \`image/png, 2×2, 12 bytes, sha256 218ad85a233eff829618a6865ab681222b734c62d35a32b3eabd5c37d8945f86\`

      **Model, to itself**

      > rFix it

      **Model**

      > tFix it

      - call \`editFix it Fix it\`

      \`\`\`json
      {
        "path": "Fix it"
      }
      \`\`\`

      - action \`edit_file Fix it\` · ok · approved by user: Fix it

      \`\`\`diff
      --- a/a Fix it
      +++ b/a Fix it
      @@ -1,1 +1,1 @@
      -one
      +two
      \`\`\`

      Result:

      \`\`\`
      xFix it
      \`\`\`

      - call \`bash\`

      \`\`\`
      Fix it
      \`\`\`

      - action \`run_command Fix it\` · exit 1 · 0.21 s · 1,234 bytes

      Result:

      \`\`\`
      yFix it
      \`\`\`

      *nFix it*

      **interrupted · iFix it**

      ## Steps

      \`\`\`
      step  model  in  out     cost  duration  first token  overhead  actions  outcome
      1     model   1    1  unknown    0.80 s                               2  approved, exit 1 · auto
      all           1    1  unknown    0.80 s                               2
      \`\`\`
      "
    `)
  })

  test("as HTML embeds its pictures, names what is not kept, and loads and runs nothing", async () => {
    const html = await exported("html", "Fix it")
    expect(html).toContain(`<img src="data:image/png;base64,${png.toString("base64")}"`)
    expect(html).toContain(`default-src 'none'; style-src 'unsafe-inline'; img-src data:`)
    expect(html).toContain('<span class="removed">-one</span>\n<span class="added">+two</span>')
    expect(html).toContain("approved by user: Fix it")
    expect(html).not.toMatch(/<script|<link|<iframe|\son\w+=|href=|src="(?!data:)/)
    contents.delete(picture)
    expect(await exported("html", "Fix it")).toMatch(
      /Picture: image\/png, 2×2, 12 bytes[^<]* \(not kept\)/,
    )
    contents.set(picture, png)
  })

  test("says of a redacted content that it is gone, though its bytes are there", async () => {
    const tombstone = { type: "evidence_redacted" as const, sha256: one, bytes: 4, reason: "a key" }
    const markdown = await exported("markdown", "Fix it", [tombstone])
    expect(markdown).toContain("a Fix it: 4 bytes -> 4 bytes (content redacted)")
    expect(markdown).not.toContain("-one")
  })
})

describe("whatever others wrote", () => {
  const hostile = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."<>&\"'`~#*_[]()!|-+=\\/ \n\taé\u202e\u0000\u001b") }),
    fc.constantFrom(
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "```\n# out\n```",
      "````",
      "<!--",
      "</pre></details><h1>out</h1>",
      "]()",
      "1. a\n- b\n> c",
    ),
  )

  test("the HTML has the same elements and attributes", async () => {
    const form = (html: string) => html.replaceAll(/>[^<]*</g, "><").replaceAll(/alt="[^"]*"/g, "")
    const spans = (html: string) => html.replaceAll(/<pre class="diff">.*?<\/pre>/gs, "")
    const expected = form(spans(await exported("html", "harmless")))
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const said = text.trim() === "" ? "blank" : text
        expect(form(spans(await exported("html", said)))).toBe(expected)
      }),
      { numRuns: 100 },
    )
  })

  test("the Markdown has the same headings, and every text stays in its block", async () => {
    const form = (markdown: string) =>
      lexer(markdown).flatMap(token =>
        ["heading", "blockquote", "code", "html"].includes(token.type) ? [token.type] : [],
      )
    const expected = form(await exported("markdown", "harmless"))
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const said = text.trim() === "" ? "blank" : text
        expect(form(await exported("markdown", said))).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })
})
