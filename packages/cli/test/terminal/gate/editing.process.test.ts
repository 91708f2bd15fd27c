import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../../../tests/support/temporary-folder.ts"
import { gateOver } from "../support/gate.ts"
import { edit, npmTest } from "../support/requests.ts"
import { proposed } from "../support/view-events.ts"

/** Programs for EDITOR and PAGER: they note what they are given; the editor does what `sed` is told. */
async function programs(sed: string) {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  const note = `stat -c '%a' "$1" >${folder.at("mode")}; cat "$1" >${folder.at("given")}; echo "$1" >${folder.at("path")}`
  return {
    folder,
    env: {
      ...process.env,
      NO_COLOR: "1",
      EDITOR: `f() { ${note}; sed -i '${sed}' "$1"; }; f`,
      PAGER: `f() { ${note}; }; f`,
      VISUAL: "",
    },
  }
}

const left = async () => (await readdir(tmpdir())).filter(name => name.startsWith("harness-gate-"))

const newText = { path: "a.txt", old_text: "one\ntwo", new_text: "one\n2", expected: null }

test("the new text of an edit is changed in the editor, shown again as a diff, and goes back whole", async () => {
  const { folder, env } = await programs("s/2/zwei/")
  const gate = await gateOver(edit, {
    events: [proposed({ action: "edit_file", effect: "write", input: newText })],
    env,
    rows: 30,
  })

  await gate.press("e")
  await gate.until("the edit, as you changed it:")
  gate.pass(300)
  await gate.press("a")

  expect(gate.frame().split("\n").slice(1, 8)).toEqual([
    "the edit, as you changed it:",
    "--- a.txt",
    "+++ a.txt",
    "@@ -1,2 +1,2 @@",
    " one",
    "-two",
    "+zwei",
  ])
  expect(gate.answers).toEqual([
    { decision: "approve", input: { ...newText, new_text: "one\nzwei" } },
  ])
  expect(await folder.text("given")).toBe("one\n2")
  expect(await folder.text("mode")).toBe("600\n")
  expect(await left()).not.toContain((await folder.text("path")).split("/").at(-2))
})

test("an input that is no JSON is not lost: `e` goes on with it", async () => {
  const { folder, env } = await programs("s/}/} ,/")
  const gate = await gateOver(npmTest, {
    events: [proposed({ input: { command: ["npm", "test"] } })],
    env,
  })

  await gate.press("e")
  await gate.until("it is no JSON")
  gate.pass(300)
  await gate.press("e")
  await gate.until("it is no JSON")
  await gate.press("a")

  expect(await folder.text("given")).toBe('{\n  "command": [\n    "npm",\n    "test"\n  ]\n} ,\n')
  expect(gate.answers).toEqual([{ decision: "approve" }])
})

test("an editor that fails changes nothing, and says so", async () => {
  const gate = await gateOver(edit, {
    events: [proposed({ action: "edit_file", effect: "write", input: newText })],
    env: { ...process.env, NO_COLOR: "1", VISUAL: "", EDITOR: "false" },
    columns: 80,
    rows: 30,
  })

  await gate.press("e")
  await gate.until("false ended with 1: nothing was changed")
})

test("`v` shows the whole preview in the pager, from a file that cannot be written", async () => {
  const { folder, env } = await programs("")
  const text = "echo \u001b[2Kone\ntwo"
  const gate = await gateOver({ ...npmTest, preview: { format: "command", text } }, { env })

  await gate.press("v")
  await expect.poll(() => folder.text("path").catch(() => "")).toContain("preview.sh")
  expect(await folder.text("given")).toBe("echo ^[[2Kone\ntwo\n")
  expect(await folder.text("mode")).toBe("400\n")
})
