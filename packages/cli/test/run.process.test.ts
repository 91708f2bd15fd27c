import { stripVTControlCharacters } from "node:util"
import { ConversationEvent } from "@harness/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TemporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

const edit = { path: "a.txt", old_text: "one", new_text: "two" }

const fix = [
  { text: "I look first.", calls: [{ tool: "read", arguments: { path: "a.txt" } }], pieces: 3 },
  { calls: [{ tool: "edit", arguments: edit }] },
  { calls: [{ tool: "bash", arguments: { command: "cat a.txt; exit 3" } }] },
  { text: "It says two now." },
]

/** What differs from run to run. */
const settled = (text: string) =>
  text
    .replace(/conversation [0-9a-f]{12}/g, "conversation <id>")
    .replace(/\d+\.\d+ m?s/g, "<time>")
    .replace(/ +<time>/g, " <time>")

describe.each(["direct", "json"] as const)("with a kernel reached %s", boundary => {
  test("a run tells everything from the model's first word to the conversation's id", async () => {
    const { project, start } = await job(home.path, { script: fix })
    const { exitCode, stdout, stderr } = await start(["--verify", "grep two a.txt"], { boundary })
      .ended

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(await project.text("a.txt")).toBe("two\n")
    expect(settled(stdout)).toMatchInlineSnapshot(`
      "harness 0.1.0 · openai-compatible/scripted
      tools · approve none · sandbox off: commands run with your own authority

      I look first.
      read a.txt 4 bytes
      edit a.txt · 1 replacement from line 1
      run_command cat a.txt; exit 3 · exit 3 · <time> · 4 bytes

      It says two now.

      verification: run_command grep two a.txt · exit 0 · <time> · 4 bytes

      --- a/a.txt
      +++ b/a.txt
      @@ -1,1 +1,1 @@
      -one
      +two

      receipts
        run_command cat a.txt; exit 3
          exited · exit 3 · <time> · 4 bytes · sha256 27dd8ed44a83
        run_command grep two a.txt
          exited · exit 0 · <time> · 4 bytes · sha256 27dd8ed44a83

      step  model      in  out     cost  duration  overhead  outcome
      1     scripted  100   10  unknown <time> <time>  ok · auto
      2     scripted  100   10  unknown <time> <time>  ok · auto
      3     scripted  100   10  unknown <time> <time>  exit 3 · auto
      4     scripted  100   10  unknown <time> <time>  final answer
      all             400   40  unknown <time> <time>

      verification passed · grep two a.txt
      answered · 4 steps · conversation <id>
      "
    `)
  })

  test("a program's actions and its output are told as they happen", async () => {
    const source = 'text = read_file("a.txt")["text"]\nprint("it says", text)\n'
    const script = [
      { calls: [{ tool: "run_program", arguments: { language: "python", source } }] },
      { text: "It says one." },
    ]
    const { start } = await job(home.path, { script })
    const { exitCode, stdout, stderr } = await start(["--style", "programs"], { boundary }).ended

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toContain(`program 1 · python
    text = read_file("a.txt")["text"]
    print("it says", text)
  read a.txt 4 bytes
  │ it says one
`)
  })

  test("-p prints the answer alone", async () => {
    const { start } = await job(home.path, { script: fix })
    expect(await start(["-p"], { boundary }).ended).toEqual({
      exitCode: 0,
      signal: null,
      stdout: "It says two now.\n",
      stderr: "",
    })
  })

  test("--json prints every event as one line, numbered without a gap", async () => {
    const { start } = await job(home.path, { script: fix })
    const { exitCode, stdout, stderr } = await start(["--json"], { boundary }).ended
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })

    const lines = stdout.trimEnd().split("\n")
    const events = lines.map(line => ConversationEvent.parse(JSON.parse(line)))
    const durable = events.flatMap(event => ("seq" in event ? [event] : []))
    expect(durable.map(({ seq }) => seq)).toEqual(durable.map((_event, index) => index + 1))
    expect(durable[0]?.type).toBe("conversation_started")
    expect(durable.at(-1)?.type).toBe("conversation_closed")
  })

  test("a verification that fails has exit code 5, after the answer", async () => {
    const { start } = await job(home.path, { script: [{ text: "Done." }] })
    expect(await start(["-p", "--verify", "exit 1"], { boundary }).ended).toEqual({
      exitCode: 5,
      signal: null,
      stdout: "Done.\n",
      stderr: "verification failed\n",
    })
  })

  test("a limit that is reached without an answer has exit code 3 and says how to go on", async () => {
    const again = { calls: [{ tool: "read", arguments: { path: "a.txt" } }] }
    const { server, start } = await job(home.path, { script: () => again })
    const { exitCode, stderr } = await start(["--max-steps", "3"], { boundary }).ended

    expect(exitCode).toBe(3)
    expect(server.requests).toHaveLength(3)
    expect(stderr).toMatch(/^limit reached \(steps\): .*--max-steps.*\n$/)
  })

  test("a provider that refuses fails the run by name, with exit code 1", async () => {
    const body = { error: { message: "the key is not valid" } }
    const { start } = await job(home.path, { script: [{ status: 401, body }] })
    const { exitCode, stderr } = await start(["-p"], { boundary }).ended

    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error provider_failed: .*the key is not valid.*\nnext: .+\n$/)
  })

  test("with nobody to ask, what the gate asks is denied and a note says so", async () => {
    const { project, start } = await job(home.path, { script: fix })
    const { exitCode, stdout, stderr } = await start(["--approve", "gate"], { boundary }).ended

    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "note: nobody can be asked here: what --approve gate asks is denied\n",
    })
    expect(stdout).toContain("edit_file a.txt · denied (no approver)\n")
    expect(await project.text("a.txt")).toBe("one\n")
  })

  test.for([
    ["2\n", "answered: 8080\n"],
    ["none of them\n", "answered: none of them\n"],
    ["\n", "ask_person Which port? · denied (user)\n"],
  ] as const)(
    "a person who types %j at a question of the model answers it, or does not",
    async ([typed, line]) => {
      const question = { question: "Which port?", options: ["3000", "8080"] }
      const script = [{ calls: [{ tool: "ask_person", arguments: question }] }, { text: "!" }]
      const { start } = await job(home.path, { script })
      const terminal = { boundary, terminal: true, stdin: typed }
      const { stdout, stderr } = await start([], terminal).ended

      expect(stripVTControlCharacters(stderr)).toBe(
        "a question\n  Which port?\n  1. 3000\n  2. 8080\nYour answer? (empty: none) ",
      )
      expect(stdout).toContain(line)
    },
  )

  test("a person is told what leave is asked for, and sees the change of a secret file", async () => {
    const script = [
      { calls: [{ tool: "write", arguments: { path: ".env", text: "TOKEN=2\n" } }] },
      { text: "!" },
    ]
    const { project, start } = await job(home.path, { script })
    const terminal = { boundary, terminal: true, stdin: "y\n" }
    const { exitCode, stdout, stderr } = await start(["--approve", "gate"], terminal).ended

    expect(exitCode).toBe(0)
    expect(stripVTControlCharacters(stderr)).toBe(`write_file
  asks for a secret file: .env holds secrets
  --- /dev/null
  +++ b/.env
  @@ -0,0 +1,1 @@
  +TOKEN=2
Let it? [y/N] `)
    expect(stdout).toMatch(/\n.*\.env.*\n {2}asks for a secret file: \.env holds secrets\n/)
    expect(await project.text(".env")).toBe("TOKEN=2\n")
  })

  test.for([
    ["y\n", "two\n", "edit a.txt · 1 replacement from line 1\n"],
    ["n\n", "one\n", "edit_file a.txt · denied (user)\n"],
  ] as const)("a person who types %j at the gate decides", async ([typed, text, line]) => {
    const { project, start } = await job(home.path, { script: [...fix.slice(0, 2), { text: "!" }] })
    const terminal = { boundary, terminal: true, stdin: typed }
    const { exitCode, stdout, stderr } = await start(["--approve", "gate"], terminal).ended

    expect(exitCode).toBe(0)
    expect(stripVTControlCharacters(stderr)).toBe(`edit_file
  --- a/a.txt
  +++ b/a.txt
  @@ -1,1 +1,1 @@
  -one
  +two
Let it? [y/N] `)
    expect(stdout).toContain(line)
    expect(await project.text("a.txt")).toBe(text)
  })
})

test("what changed while commands ran is shown after what actions changed, and what steers others is named", async () => {
  const command = "echo three > a.txt; echo 1 > Makefile; printf '\\000' > image"
  const script = [
    { calls: [{ tool: "read", arguments: { path: "a.txt" } }] },
    { calls: [{ tool: "edit", arguments: edit }] },
    { calls: [{ tool: "bash", arguments: { command } }] },
    { text: "Done." },
  ]
  const { start } = await job(home.path, { script })
  const { exitCode, stdout } = await start([]).ended
  expect(exitCode).toBe(0)
  expect(settled(stdout.slice(stdout.indexOf("--- a/a.txt")))).toMatchInlineSnapshot(`
    "--- a/a.txt
    +++ b/a.txt
    @@ -1,1 +1,1 @@
    -one
    +two

    changed while commands ran
    --- /dev/null
    +++ b/Makefile
    @@ -0,0 +1,1 @@
    +1
    --- a/a.txt
    +++ b/a.txt
    @@ -1,1 +1,1 @@
    -two
    +three
    image: created -> 1 byte (binary)

    receipts
      run_command echo three > a.txt; echo 1 > Makefile; printf '\\000' > image
        exited · exit 0 · <time> · 0 bytes · sha256 e3b0c44298fc · touched Makefile

    step  model      in  out     cost  duration  overhead  outcome
    1     scripted  100   10  unknown <time> <time>  ok · auto
    2     scripted  100   10  unknown <time> <time>  ok · auto
    3     scripted  100   10  unknown <time> <time>  exit 0 · auto
    4     scripted  100   10  unknown <time> <time>  final answer
    all             400   40  unknown <time> <time>

    answered · 4 steps · conversation <id>
    "
  `)
})
