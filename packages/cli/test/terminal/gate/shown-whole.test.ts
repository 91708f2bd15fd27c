import { expect, test } from "vitest"
import { down, gateOver, pageDown } from "../support/gate.ts"
import { diffOf, edit, npmTest } from "../support/requests.ts"
import { proposed } from "../support/view-events.ts"

const events = [proposed({})]

test("a diff that has room is shown whole", async () => {
  const gate = await gateOver({ ...edit, preview: { format: "diff", text: diffOf(1) } }, { events })

  expect(gate.frame()).toBe(
    [
      "edit_file asks for your leave",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,3 +1,3 @@",
      " a0",
      "-old 0",
      "+new 0",
      " z0",
      "Let it?  a approve · d deny · e edit · v view",
    ].join("\n"),
  )
  expect(gate.printed()).toEqual([])
})

test("a diff that has no room is printed whole and seen hunk by hunk", async () => {
  const gate = await gateOver(edit, { events, rows: 8 })

  expect(gate.printed()).toEqual(["edit_file", ...diffOf(3).trimEnd().split("\n")])
  await gate.press("n", "n")
  expect(gate.frame()).toBe(
    [
      "edit_file asks for your leave",
      "@@ -101,3 +101,3 @@",
      " a1",
      "-old 1",
      "+new 1",
      " z1",
      "hunk 2/3 · rows 8-12 of 17 · all of it stands above",
      "Let it?  a approve · d deny · e edit · v view",
    ].join("\n"),
  )
  await gate.press("n", "n", "n", "k", "p")
  expect(gate.frame()).toContain("hunk 2/3 · rows 8-12 of 17")
  await gate.press(pageDown, down, "j", "G")
  expect(gate.frame()).toContain("hunk 3/3 · rows 13-17 of 17")
  await gate.press("a")
  expect(gate.answers).toEqual([{ decision: "approve" }])
  expect(gate.printed()).toHaveLength(18)
})

test("a preview can hide nothing: not by escapes, direction, invisible letters or length", async () => {
  const long = "x".repeat(50)
  const text = `echo ok\u001b[2K\rrm\u200b -rf \u202eb/ \u{e0041}a\u00ad\n${long} # 漢字漢字`
  const gate = await gateOver(
    { ...npmTest, title: "\u001b]0;run\u0007", preview: { format: "command", text } },
    { columns: 40 },
  )

  expect(gate.frame()).toBe(
    [
      "^[]0;run^G asks for your leave",
      "echo ok^[[2K^Mrm<U+200B> -rf <U+202E>b/",
      "<U+E0041>a<U+00AD>",
      "x".repeat(40),
      "xxxxxxxxxx # 漢字漢字",
      "Let it?  a approve · d deny · v view",
    ].join("\n"),
  )
})

test("a screen reader gets all of it in words, and one line that does not change", async () => {
  const gate = await gateOver(edit, {
    events,
    rows: 8,
    env: { NO_COLOR: "1", INK_SCREEN_READER: "true" },
  })

  expect(gate.printed().slice(0, 8)).toEqual([
    "edit_file",
    "--- a/a.txt",
    "+++ b/a.txt",
    "hunk 1 of 3: @@ -1,3 +1,3 @@",
    "same: a0",
    "removed: old 0",
    "added: new 0",
    "same: z0",
  ])
  expect(gate.frame()).toBe(
    [
      "edit_file asks for your leave",
      "all of it stands above",
      "Let it?  a approve · d deny · e edit · v view",
    ].join("\n"),
  )
})
