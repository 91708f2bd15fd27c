import { existsSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import type { OpenConversation, ResultPart } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { ofType, startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const here = { approver: true, approve: "gate" } as const
const unasked = { approver: true, approve: "none" } as const

/** Answers every request, and runs one turn. */
async function run(
  kernel: TestKernel,
  options: Partial<OpenConversation>,
  decision: "approve" | "deny" = "approve",
): Promise<ResultPart[]> {
  kernel.kernel.subscribe(({ conversation, event }) => {
    if (event.type !== "request_opened") return
    const { request } = event
    void kernel.kernel.dispatch({ type: "answer", conversation, request, decision })
  })
  await kernel.send(await kernel.open(options), "Go")
  return ofType(kernel.events, "results").flatMap(({ message }) => message.content)
}

function resultsOf(parts: ResultPart[]): unknown[] {
  return parts.map(({ text }) => JSON.parse(text))
}

describe("a command that wants the network", () => {
  const reason = "to install dependencies"
  const whose = "readlink /proc/self/ns/net"
  const ours = `${readlinkSync("/proc/self/ns/net")}\n`
  const wanting = [
    calls(1, ["call", { command: whose, network: reason }], ["call", { command: whose }]),
    says("Done."),
  ]

  test("has it when a person gives leave, and the next command has none", async () => {
    const kernel = startKernel(wanting)
    const [first, second] = resultsOf(await run(kernel, { ...here, sandbox: "os" }))
    expect(first).toMatchObject({ output: ours })
    expect(second).not.toMatchObject({ output: ours })

    const permits = [{ permit: "network", reason }]
    const [asked, other] = ofType(kernel.events, "request_opened")
    expect(asked).toMatchObject({ title: "call", permits })
    expect(other).not.toHaveProperty("permits")
    const [proposed] = ofType(kernel.events, "action_proposed")
    expect(proposed).toMatchObject({ permits, verdict: "ask", rule: "mode:gate" })
    const started = ofType(kernel.events, "action_started")
    expect(started.map(event => event.permits)).toEqual([["network"], undefined])
    const ended = ofType(kernel.events, "action_ended")
    expect(ended.map(({ receipt }) => receipt.process?.containment?.network)).toEqual([true, false])
  })

  test("does not run when a person denies it", async () => {
    const kernel = startKernel([
      calls(1, ["call", { command: "touch ran", network: reason }]),
      says("Done."),
    ])
    const [result] = resultsOf(await run(kernel, { ...here, sandbox: "os" }, "deny"))
    expect(result).toEqual({ tool: "call", status: "denied", by: "user" })
    expect(existsSync(join(kernel.root, "ran"))).toBe(false)
  })

  test("is denied in the mode none although a person is there, and told which rule would allow it", async () => {
    const kernel = startKernel(wanting)
    const [result] = resultsOf(await run(kernel, { ...unasked, sandbox: "os" }))
    expect(result).toEqual({
      tool: "call",
      status: "denied",
      by: "permit:network",
      reason:
        'commands have no network, and the mode none gives no leave for it. Do without, or tell the user that this rule in config.jsonc would allow it: {"verdict":"allow","permit":"network","command":"readlink /proc/self/ns/net"}',
    })
    expect(ofType(kernel.events, "request_opened")).toEqual([])
  })

  test("has it where a rule allows that", async () => {
    const rules = [{ verdict: "allow", permit: "network", command: whose }]
    const kernel = startKernel(wanting, { config: { rules } })
    const [first, second] = resultsOf(await run(kernel, { sandbox: "os" }))
    expect(first).toMatchObject({ output: ours })
    expect(second).not.toMatchObject({ output: ours })
    expect(ofType(kernel.events, "action_proposed")).toMatchObject([
      { verdict: "allow", rule: "rule:1" },
      { verdict: "allow", rule: "mode:none" },
    ])
  })

  test.each([{ sandbox: "os", network: true }, { sandbox: "off" }] as const)(
    "asks nobody where commands have it anyway: %j",
    async options => {
      const kernel = startKernel(wanting)
      expect(resultsOf(await run(kernel, { ...unasked, ...options }))).toMatchObject([
        { output: ours },
        { output: ours },
      ])
      expect(ofType(kernel.events, "action_proposed")[0]).not.toHaveProperty("permits")
    },
  )
})

describe("a file that needs leave", () => {
  const files = { ".env": "TOKEN=1", "a.txt": "a" }
  const reads = [calls(1, ["look", { path: "./.env" }]), says("Done.")]
  const hooks = [
    calls(1, ["note", { path: ".git/hooks/pre-commit", text: "#!/bin/sh" }]),
    says("Done."),
  ]

  test("a secret file is read when a person gives leave", async () => {
    const kernel = startKernel(reads, { files })
    const [result] = resultsOf(await run(kernel, here))
    expect(result).toMatchObject({ text: "TOKEN=1" })
    expect(ofType(kernel.events, "request_opened")).toMatchObject([
      { permits: [{ permit: "secret_file", reason: ".env holds secrets" }] },
    ])
  })

  test("what a person is shown of a secret file is not kept", async () => {
    const script = [calls(1, ["note", { path: ".env", text: "TOKEN=2" }]), says("Done.")]
    const kernel = startKernel(script, { files })
    await run(kernel, here, "deny")
    const shown = kernel.events.filter(({ type }) => type === "request_preview")
    expect(shown).toMatchObject([{ preview: { format: "diff", text: ".env\n+TOKEN=2" } }])
    expect(ofType(kernel.events, "request_opened")).toMatchObject([
      { preview: { format: "text", text: "(not kept: it may show a secret)" } },
    ])
    expect(kernel.read(".env")).toBe("TOKEN=1")
  })

  test("a control file is shown before it is written, and written when a person gives leave", async () => {
    const kernel = startKernel(hooks, { files })
    await run(kernel, here)
    expect(kernel.read(".git/hooks/pre-commit")).toBe("#!/bin/sh")
    expect(ofType(kernel.events, "request_opened")).toMatchObject([
      {
        permits: [
          { permit: "control_file", reason: ".git/hooks/pre-commit makes the host run code" },
        ],
        preview: { format: "diff", text: ".git/hooks/pre-commit\n+#!/bin/sh" },
      },
    ])
  })

  test.each([
    ["read", reads, "secret_file"],
    ["written", hooks, "control_file"],
  ] as const)("it is not %s in the mode none, whoever is there", async (_, script, permit) => {
    const kernel = startKernel([...script], { files })
    const [result] = resultsOf(await run(kernel, unasked))
    expect(result).toMatchObject({ status: "denied", by: `permit:${permit}` })
    expect(existsSync(join(kernel.root, ".git"))).toBe(false)
    expect(ofType(kernel.events, "action_started")).toEqual([])
  })

  test("it is read and written where rules allow that", async () => {
    const rules = [
      { verdict: "allow", path: ".env" },
      { verdict: "allow", permit: "control_file" },
    ]
    const both = [
      calls(1, ["look", { path: ".env" }], ["note", { path: ".envrc", text: "x" }]),
      says("Done."),
    ]
    const kernel = startKernel(both, { files, config: { rules } })
    expect(resultsOf(await run(kernel, {}))).toMatchObject([
      { text: "TOKEN=1" },
      { sha256: expect.any(String) },
    ])
    const started = ofType(kernel.events, "action_started")
    expect(started.map(({ permits }) => permits)).toEqual([["secret_file"], ["control_file"]])
  })

  test("behind a link it is refused in every mode, and the model is told the file's own name", async () => {
    for (const options of [here, unasked]) {
      const kernel = startKernel(
        [
          calls(1, ["look", { path: "notes" }], ["note", { path: "way/pre-commit", text: "x" }]),
          says("Done."),
        ],
        { files },
      )
      mkdirSync(join(kernel.root, ".git/hooks"), { recursive: true })
      symlinkSync(".env", join(kernel.root, "notes"))
      symlinkSync(".git/hooks", join(kernel.root, "way"))
      expect(resultsOf(await run(kernel, options))).toEqual([
        { error: "secret_file", message: expect.stringContaining(".env") },
        { error: "control_file", message: expect.stringContaining(".git/hooks/pre-commit") },
      ])
      expect(existsSync(join(kernel.root, ".git/hooks/pre-commit"))).toBe(false)
    }
  })

  test("in an approved program it still asks, and a denial there is data of the program", async () => {
    const source = 'call note {"path": "a2.txt", "text": "new"}\ncall look {"path": ".env"}'
    const kernel = startKernel(
      [calls(1, ["run_program", { language: "lines", source }]), says("Done.")],
      { files },
    )
    kernel.kernel.subscribe(({ conversation, event }) => {
      if (event.type !== "request_opened") return
      const { request, subject } = event
      const decision = subject.type === "program" ? "approve" : "deny"
      void kernel.kernel.dispatch({ type: "answer", conversation, request, decision })
    })
    const options = { approver: true, approve: "programs", style: "programs" } as const
    await kernel.send(await kernel.open(options), "Go")

    const [result] = ofType(kernel.events, "results").flatMap(({ message }) => message.content)
    expect(result?.text).toContain('{"status":"denied","by":"user"}')
    expect(kernel.read("a2.txt")).toBe("new")
    expect(ofType(kernel.events, "request_opened")).toMatchObject([
      { subject: { type: "program" } },
      { subject: { type: "action" }, permits: [{ permit: "secret_file" }] },
    ])
  })
})

test("an action that fails to say what it needs leave for does not run, whoever is there", async () => {
  const kernel = startKernel([calls(1, ["riddle", {}]), says("Done.")])
  expect(resultsOf(await run(kernel, here))).toEqual([
    {
      tool: "riddle",
      status: "denied",
      by: "permit:unknown",
      reason: "riddle failed to say what it needs leave for: who knows",
    },
  ])
  expect(ofType(kernel.events, "request_opened")).toEqual([])
})
