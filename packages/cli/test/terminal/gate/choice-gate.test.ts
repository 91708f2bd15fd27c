import { expect, test } from "vitest"
import { down, esc, gateOver, up } from "../support/gate.ts"

const question = (question: string, options: string[] = []) => ({
  subject: { type: "question" as const, action_id: "a1", question, options },
  title: "a question",
  preview: { format: "text" as const, text: question },
})

const environment = {
  subject: {
    type: "environment" as const,
    action_id: "a1",
    reason: "to see the page",
    kinds: ["browser", "desktop"],
  },
  title: "an environment",
  preview: { format: "text" as const, text: "to see the page" },
}

test("a question is answered by an option's number", async () => {
  const gate = await gateOver(question("Which port?", ["80", "8080"]))

  expect(gate.frame()).toBe(
    [
      "a question",
      "Which port?",
      "  1. 80",
      "  2. 8080",
      "  3. something else: type it",
      "a number or ↑↓ and Enter · or type an answer · Esc refuses",
    ].join("\n"),
  )
  await gate.press("2")
  expect(gate.answers).toEqual([{ decision: "approve", answer: "8080" }])
})

test("Enter takes the option that the arrows picked, and none before", async () => {
  const gate = await gateOver(question("Which port?", ["80", "8080"]))

  await gate.press("\r")
  expect(gate.answers).toEqual([])
  await gate.press(down, down, up, "\r")
  expect(gate.answers).toEqual([{ decision: "approve", answer: "80" }])
})

test("any other letter begins an answer of one's own, which Esc leaves again", async () => {
  const gate = await gateOver(question("Which port?", ["80", "8080"]))

  await gate.press("n", esc, "t", "he 漢字 one")
  expect(gate.frame()).toBe(
    [
      "a question",
      "Which port?",
      "  1. 80",
      "  2. 8080",
      "  3. something else: type it",
      "Your answer · Enter sends · Esc goes back",
      "› the 漢字 one▏",
    ].join("\n"),
  )
  await gate.press("\r")
  expect(gate.answers).toEqual([{ decision: "approve", answer: "the 漢字 one" }])
})

test("a question without options takes a text, which may be pasted, and Esc refuses", async () => {
  const gate = await gateOver(question("What is \u001b[2Kit?"), { takes: false })

  expect(gate.frame()).toBe(
    ["a question", "What is ^[[2Kit?", "Your answer · Enter sends · Esc refuses", "› ▏"].join("\n"),
  )
  await gate.press("\r", "\u001b[200~one\ntwo\u001b[201~", "\r", esc, esc)
  expect(gate.answers).toEqual([{ decision: "approve", answer: "one\ntwo" }, { decision: "deny" }])
})

test("of the environments that would do one is picked, or none", async () => {
  const gate = await gateOver(environment, { takes: false })

  expect(gate.frame()).toBe(
    [
      "an environment",
      "It asks for another environment: to see the page",
      "  1. browser",
      "  2. desktop",
      "a number or ↑↓ and Enter · Esc refuses",
    ].join("\n"),
  )
  await gate.press("x", "3", "2", esc)
  expect(gate.answers).toEqual([{ decision: "approve", answer: "desktop" }, { decision: "deny" }])
})

test("a question that has no room is printed whole, and its options are seen around the picked one", async () => {
  const options = Array.from({ length: 12 }, (_, option) => `option ${option + 1}`)
  const gate = await gateOver(question("Which?\nOne of many.", options), { rows: 6 })

  expect(gate.printed()).toEqual([
    "a question",
    "Which?",
    "One of many.",
    ...options.map((option, index) => `  ${index + 1}. ${option}`),
    "  13. something else: type it",
  ])
  await gate.press(down, down, down, down)
  expect(gate.frame()).toBe(
    [
      "a question",
      "  2. option 2",
      "  3. option 3",
      "› 4. option 4",
      "all of it stands above",
      "a number or ↑↓ and Enter · or type an answer · Esc refuses",
    ].join("\n"),
  )
})
