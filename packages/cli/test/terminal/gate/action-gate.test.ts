import { expect, test } from "vitest"
import { esc, gateOver } from "../support/gate.ts"
import { facts, npmTest } from "../support/requests.ts"
import { proposed } from "../support/view-events.ts"

const shownFacts = [
  "$ npm test",
  "cwd . · timeout 120 s · sh",
  "sandbox: writes only in the folder · network off",
]
const events = [proposed({})]

const offer = {
  rules: [
    { verdict: "allow" as const, command: "npm test" },
    { verdict: "allow" as const, command: "rm" },
  ],
  uncovered: ["rm -rf b"],
}

test("a request shows what is wanted, what no rule covers and how many wait behind it; `a` approves", async () => {
  const gate = await gateOver(
    {
      ...npmTest,
      permits: [{ permit: "network", reason: "to install" }],
      preview: {
        ...npmTest.preview,
        command: {
          ...facts,
          line: "cd web\nnpm i && rm -rf b",
          cwd: "a b",
          env: { CI: "1" },
          timeout_seconds: null,
          network: true,
        },
      },
      uncovered: ["rm -rf b"],
    },
    { events, behind: 2 },
  )

  expect(gate.frame()).toBe(
    [
      "run_command asks for your leave · 2 more behind it",
      "asks for the network: to install",
      "no rule covers: rm -rf b",
      "$ cd web",
      "  npm i && rm -rf b",
      "cwd a b · no timeout: it runs on · sh",
      'env CI="1"',
      "sandbox: writes only in the folder · network on",
      "Let it?  a approve · d deny · e edit · v view",
    ].join("\n"),
  )
  await gate.press("a")
  expect(gate.answers).toEqual([{ decision: "approve" }])
  expect(gate.printed()).toEqual([
    "run_command",
    "asks for the network: to install",
    "no rule covers: rm -rf b",
    "$ cd web",
    "  npm i && rm -rf b",
    "cwd a b · no timeout: it runs on · sh",
    'env CI="1"',
    "sandbox: writes only in the folder · network on",
  ])
})

test("Enter, other letters and what is pasted approve nothing", async () => {
  const gate = await gateOver(npmTest, { events })

  await gate.press("\r", "y", "c", "aa", "\u001b[200~a\u001b[201~")
  expect(gate.answers).toEqual([])
})

test("a key counts only after a pause: somebody was typing when the request came", async () => {
  const gate = await gateOver(npmTest, { events, settled: false })

  gate.pass(200)
  await gate.press("s")
  gate.pass(200)
  await gate.press("a")
  expect(gate.answers).toEqual([])
  expect(gate.frame()).toBe(
    [
      "run_command asks for your leave",
      ...shownFacts,
      "too soon to have been read: that key did not count",
      "Let it?  a approve · d deny · e edit · v view",
    ].join("\n"),
  )
  gate.pass(300)
  await gate.press("a")
  expect(gate.answers).toEqual([{ decision: "approve" }])
})

test("`d` denies with a word to the model; Esc goes back from there", async () => {
  const gate = await gateOver(npmTest, { events })

  await gate.press("d", "use pnpm", esc)
  expect(gate.answers).toEqual([])
  await gate.press("d", "use 漢字")
  expect(gate.frame()).toBe(
    [
      "run_command asks for your leave",
      ...shownFacts,
      "Deny it, with a word to the model or none · Enter denies",
      "Esc goes back",
      "› use 漢字▏",
    ].join("\n"),
  )
  await gate.press("\r")
  expect(gate.answers).toEqual([{ decision: "deny", note: "use 漢字" }])
})

test("an empty word denies too, and Esc or Enter alone do nothing", async () => {
  const gate = await gateOver(npmTest, { events })

  await gate.press(esc, "\r")
  expect(gate.answers).toEqual([])
  expect(gate.frame()).toContain("Let it?  a approve")
  await gate.press("d", "\r")
  expect(gate.answers).toEqual([{ decision: "deny" }])
})

test("`A` shows each rule before it is saved, for the conversation or the project", async () => {
  const gate = await gateOver({ ...npmTest, offer }, { events })

  await gate.press("A")
  expect(gate.frame()).toBe(
    [
      "run_command asks for your leave",
      "2 rules would be saved:",
      "  allow the command npm test …",
      "  allow the command rm …",
      "Save and approve? · c for this conversation",
      "p for this project · Esc goes back",
    ].join("\n"),
  )
  await gate.press("p")
  gate.pass(300)
  await gate.press("a", "\r")
  expect(gate.answers).toEqual([])
  await gate.press(esc, "c", "A")
  gate.pass(300)
  await gate.press("p")
  expect(gate.answers).toEqual([{ decision: "approve", save: "project" }])
  expect(gate.printed()).toEqual([
    "run_command",
    "no rule covers: rm -rf b",
    ...shownFacts,
    "run_command",
    "2 rules would be saved:",
    "  allow the command npm test …",
    "  allow the command rm …",
  ])
})

test("`A` allows nothing for good where nothing is offered", async () => {
  const gate = await gateOver(npmTest, { events })

  await gate.press("A", "c", "p")
  expect(gate.answers).toEqual([])
})

test("`e` changes the command, which is shown again before it can be approved", async () => {
  const gate = await gateOver({ ...npmTest, offer }, { events })

  await gate.press("e", " -- x")
  expect(gate.frame()).toBe(
    [
      "run_command asks for your leave",
      "no rule covers: rm -rf b",
      ...shownFacts,
      "Change the command · Enter shows it · Ctrl-G editor",
      "Esc goes back",
      "› npm test -- x▏",
    ].join("\n"),
  )
  await gate.press("\r")
  await gate.until("changed by you:")
  expect(gate.frame()).toBe(
    [
      "run_command asks for your leave",
      "changed by you:",
      "$ npm test -- x",
      ...shownFacts.slice(1),
      "Let it, as you changed it?  a approve · d deny · e edit",
      "v view",
    ].join("\n"),
  )
  gate.pass(300)
  await gate.press("A", "c", "a")
  expect(gate.answers).toEqual([{ decision: "approve", input: { command: "npm test -- x" } }])
})

test("an answer that is refused leaves the request open", async () => {
  const gate = await gateOver(npmTest, { events, takes: false })

  await gate.press("a", "a")
  expect(gate.answers).toEqual([{ decision: "approve" }, { decision: "approve" }])
  expect(gate.frame()).toContain("it was not taken: the reason stands above")
})

test("an answer is given once, however often its key is pressed", async () => {
  const gate = await gateOver(npmTest, { events })

  await gate.press("a", "a", "d", "\r")
  expect(gate.answers).toEqual([{ decision: "approve" }])
})

test("a program is shown whole, and cannot be changed or allowed for good", async () => {
  const gate = await gateOver({
    subject: { type: "program", program: 1 },
    title: "a program in python",
    preview: { format: "source", text: "for n in (1, 2):\n    print(n)\n" },
  })

  await gate.press("e")
  expect(gate.frame()).toBe(
    [
      "a program in python asks for your leave",
      "for n in (1, 2):",
      "    print(n)",
      "this cannot be changed; deny it with a word",
      "Let it?  a approve · d deny · v view",
    ].join("\n"),
  )
})
