import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, type Script, says } from "../support/script.ts"

function program(step: number, ...source: string[]): Script["replies"][number] {
  return calls(step, ["run_program", { language: "lines", source: source.join("\n") }])
}

/** What the model was told of each program. */
function told(kernel: TestKernel): string[] {
  return ofType(kernel.events, "results").flatMap(({ message }) =>
    message.content.map(({ text }) => text),
  )
}

async function run(kernel: TestKernel, options: Parameters<TestKernel["open"]>[0] = {}) {
  return kernel.send(await kernel.open({ style: "programs", ...options }), "Go")
}

describe("a program", () => {
  test("acts through the kind's actions, and the model is told its output and what went otherwise", async () => {
    const kernel = startKernel(
      [
        program(
          1,
          'call look {"path": "a.txt"}',
          'call look {"path": "none"}',
          'call call {"command": "exit 3"}',
          'call look {"file": 1}',
          "print done",
        ),
        says("Done."),
      ],
      { files: { "a.txt": "text" } },
    )
    expect((await run(kernel)).ending).toEqual({ status: "answered" })
    expect(told(kernel)).toEqual([
      expect.stringMatching(
        /^\{"text":"text",.*\n\{"error":"not_found",.*\n\{"status":"exited","exit_code":3,.*\n\{"refuse":"look: path: .*\ndone\n\[ok · look 2, call 1\]\n- look: not_found\n- call: exit 3$/,
      ),
    ])
    expect(
      ofType(kernel.events, "action_proposed").map(({ action, origin }) => [action, origin]),
    ).toEqual(
      ["look", "look", "call"].map(action => [
        action,
        { type: "program", call_id: "c1-1", program: 1 },
      ]),
    )
  })

  test("that prints too much is shown by its beginning, and its output can be read on by name", async () => {
    const kernel = startKernel([program(1, "repeat 40000 x"), says("Long.")])
    await run(kernel)
    expect(told(kernel)).toEqual([
      `${"x".repeat(2_000)}\n[40000 characters in all; read on with read_file("output:program-1", offset=2000)]\n[ok]`,
    ])
  })

  test("that fails or loses its interpreter says so, and the turn goes on", async () => {
    const kernel = startKernel([
      program(1, "print before", "fail it broke"),
      program(2, "lose"),
      calls(3, ["run_program", { language: "cobol", source: "x" }]),
      says("So be it."),
    ])
    expect((await run(kernel)).ending).toEqual({ status: "answered" })
    expect(told(kernel)).toEqual([
      "before\nit broke\n[error]",
      "gone\n[died]\n[interpreter restarted: earlier variables are gone]",
      expect.stringContaining('"error":"invalid_arguments"'),
    ])
    expect(ofType(kernel.events, "program_ended").map(ended => ended.status)).toEqual([
      "error",
      "died",
    ])
  })

  test("whose output cannot be kept has run, is told of, and ends the turn", async () => {
    const kernel = startKernel([program(1, "print kept?"), says("Not asked.")])
    const conversation = await kernel.open({ style: "programs" })
    const [log] = readdirSync(kernel.home, { recursive: true, encoding: "utf8" }).filter(path =>
      path.endsWith("log.jsonl"),
    )
    const artifacts = join(kernel.home, dirname(String(log)), "artifacts")
    mkdirSync(artifacts, { recursive: true })
    writeFileSync(join(artifacts, "programs"), "in the way")

    const { ending } = await kernel.send(conversation, "Go")
    expect(ending).toMatchObject({ status: "limit_reached", limit: "disk" })
    expect(told(kernel)).toEqual(["kept?\n[ok]"])
  })

  test("without room for its output ends the turn at the limit of evidence", async () => {
    const kernel = startKernel([program(1, "repeat 2000 x"), says("Not asked.")], {
      config: { limits: { evidence_bytes: 1_000 } },
    })
    expect((await run(kernel)).ending).toMatchObject({
      status: "limit_reached",
      limit: "evidence",
    })
  })
})

describe("in the mode programs", () => {
  const replies = [program(1, 'call note {"path": "a.txt", "text": "new"}'), says("Done.")]

  async function decide(kernel: TestKernel, decision: "approve" | "deny") {
    const conversation = await kernel.open({
      style: "programs",
      approve: "programs",
      approver: true,
    })
    const turn = kernel.send(conversation, "Go")
    await expect.poll(() => ofType(kernel.events, "request_opened").length).toBe(1)
    const request = ofType(kernel.events, "request_opened")[0]?.request ?? ""
    await kernel.kernel.dispatch({ type: "answer", conversation, request, decision })
    return turn
  }

  test("a program is shown whole once, and its actions then proceed", async () => {
    const kernel = startKernel(replies)
    await decide(kernel, "approve")
    expect(kernel.read("a.txt")).toBe("new")
    expect(ofType(kernel.events, "request_opened")).toMatchObject([
      {
        subject: { type: "program", program: 1 },
        preview: { format: "source", text: 'call note {"path": "a.txt", "text": "new"}' },
      },
    ])
    expect(ofType(kernel.events, "action_proposed")).toMatchObject([
      { verdict: "allow", rule: "mode:programs" },
    ])
  })

  test("a denied program does not run", async () => {
    const kernel = startKernel(replies)
    await decide(kernel, "deny")
    expect(existsSync(join(kernel.root, "a.txt"))).toBe(false)
    expect(told(kernel).map(text => JSON.parse(text))).toEqual([
      { tool: "run_program", status: "denied", by: "user" },
    ])
  })

  test("with nobody to ask a program is denied", async () => {
    const kernel = startKernel(replies)
    await run(kernel, { approve: "programs" })
    expect(told(kernel).map(text => JSON.parse(text))).toEqual([
      {
        tool: "run_program",
        status: "denied",
        by: "no_approver",
        reason: "nobody is there to approve it",
      },
    ])
  })
})

test("in the mode gate each action of a program asks, and the program's clocks stand still", async () => {
  const kernel = startKernel([
    program(1, 'call note {"path": "a.txt", "text": "new"}', "print after"),
    says("Done."),
  ])
  const conversation = await kernel.open({ style: "programs", approve: "gate", approver: true })
  const turn = kernel.send(conversation, "Go")
  await expect.poll(() => ofType(kernel.events, "request_opened").length).toBe(1)
  const request = ofType(kernel.events, "request_opened")[0]?.request ?? ""
  await kernel.kernel.dispatch({ type: "answer", conversation, request, decision: "approve" })
  await turn
  expect(told(kernel)).toEqual([
    expect.stringMatching(/^\[pause\]\n\[resume\]\n\{"sha256":"\w+"\}\nafter\n\[ok · note 1\]$/),
  ])
})
