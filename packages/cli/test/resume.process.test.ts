import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import type { ScriptedReply } from "../../../tests/support/scripted-server.ts"
import type { TemporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { anthropicMessages } from "../../../tests/support/wire/anthropic-messages.ts"
import { startWireServer } from "../../../tests/support/wire/server.ts"
import { auditConversation } from "../../kernel/src/audit/audit.ts"
import { findConversation } from "../../kernel/src/conversation/find.ts"
import { readPlaces } from "../../kernel/src/conversation/places-file.ts"
import { harness, startHarness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

let home: TemporaryFolder
beforeAll(async () => {
  home = await linkedHome()
})
afterAll(() => home.remove())

const never = new Promise<ScriptedReply>(() => {})
const calling = (tool: string, input: { readonly [name: string]: unknown }): ScriptedReply => ({
  calls: [{ tool, arguments: input }],
})

/** Something to be killed in: what the model answers, with which options, and what shows that it is there. */
type Phase = {
  name: string
  replies: (ScriptedReply | Promise<ScriptedReply>)[]
  options?: string[]
  terminal?: boolean
  style?: "programs"
  begun: string | null
  /** The result of the last call, as its model is given it after the resume; null when none was lost. */
  result: RegExp | null
  told: RegExp
}

const phases: Phase[] = [
  {
    name: "the model replies",
    replies: [never],
    begun: null,
    result: null,
    told: /The last turn was cut off/,
  },
  {
    name: "a command runs",
    replies: [calling("bash", { command: "echo x >>ran; echo begun; sleep 300" })],
    begun: '"text":"begun',
    result:
      /^harness ended before the result[^\n]*\nrun_command was begun and nobody saw its end: .* Its process came to session_closed; what it printed is output:[0-9a-f]{8}\.$/,
    told: /Nobody saw the end of run_command \(echo x >>ran/,
  },
  {
    name: "a program runs",
    style: "programs",
    replies: [
      calling("run_program", {
        language: "python",
        source: "write_file('ran', 'x')\nprint('begun')\nwhile True: pass",
      }),
    ],
    begun: '"text":"begun',
    result: /^harness ended while this program was running.*\nwrite_file ended \(ok\)/,
    told: /Variables of earlier programs are gone/,
  },
  {
    name: "a person is asked",
    options: ["--approve", "gate"],
    terminal: true,
    replies: [calling("bash", { command: "echo x >>ran" })],
    begun: "request_opened",
    result: /run_command was proposed and did not run/,
    told: /The last turn was cut off/,
  },
  {
    name: "a service runs",
    replies: [calling("bash", { command: "echo x >>ran; sleep 300", background: true }), never],
    begun: null,
    result: null,
    told: /Not running any more: start_process \(echo x >>ran; sleep 300\), output:/,
  },
]

const idIn = (stdout: string) => /"conversation":"([0-9a-f]{12})"/.exec(stdout)?.[1] ?? ""

test.for(phases)(
  "after kill -9 while $name it goes on: the model is told the truth, and nothing runs twice",
  async ({ replies, options = [], terminal = false, style, begun, result, told }) => {
    const all = [...replies, { text: "I see." }]
    const { project, server, start } = await job(home.path, {
      script: (_request, n) => all[n] ?? { text: "?" },
    })
    const env = style === undefined ? {} : { HARNESS_STYLE: style }
    const running = start(["--json", ...options], {
      env,
      terminal,
      ...(terminal && { stdin: "open" as const }),
    })
    await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBe(replies.length)
    if (begun !== null) await running.said(begun)
    running.child.kill("SIGKILL")
    await running.ended

    const again = await start(["--json", "--resume", "last"], { env }).ended
    expect({ exitCode: again.exitCode, stderr: again.stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(again.stdout).toMatch(told)
    const request = server.requests.at(-1)
    if (result !== null) expect(request?.results.at(-1)).toMatch(result)
    expect(request?.text).toMatch(told)
    expect(request?.text).toContain("Do it.")
    expect(server.requests).toHaveLength(all.length)

    const ran = await project.text("ran").catch(() => "")
    expect(ran.trim()).toBe(terminal || (result === null && replies[0] === never) ? "" : "x")
    const found = findConversation(home.path, idIn(again.stdout))
    const before = readPlaces(found.places)?.earlier?.at(-1)?.temp ?? "/"
    expect({ temp: before, isThere: existsSync(before) }).toEqual({
      temp: expect.stringContaining("harness-"),
      isThere: false,
    })
    const audit = await auditConversation(found)
    expect(audit).toMatchObject({ holds: true, findings: [], log: { state: "closed" } })
  },
)

const anthropic = fileURLToPath(new URL("../../../plugins/provider-anthropic", import.meta.url))

/** As a person runs it who is somewhere else and copies the command of the last line. */
const anywhere = (...args: string[]) =>
  startHarness(["run", ...args], { home: home.path, cwd: "/" }).ended

test("by its id it goes on from wherever one is, and a person is told what changed; what is wrong is one line", async () => {
  const { project, server, run } = await job(home.path, {
    script: [{ calls: [{ tool: "read", arguments: { path: "a.txt" } }] }, { text: "It says one." }],
  })
  const { stdout } = await run()
  const id = /conversation ([0-9a-f]{12})/.exec(stdout)?.[1] ?? ""
  await project.write({ "a.txt": "two\n" })
  expect(await run("--resume", "zz")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringMatching(/^error conversation_unknown: .*\nnext: .*\n$/),
  })
  expect(await anywhere("Go on.", "--resume", id, "--folder", "/")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error conversation_elsewhere: .*\nnext: .*\n$/),
  })
  expect(await anywhere("Go on.", "--resume", id.slice(0, 8))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error key_missing: /),
  })
  expect(server.requests).toHaveLength(2)

  expect(
    await harness(["install", anthropic, "--link", "--yes"], { home: home.path }),
  ).toMatchObject({
    exitCode: 0,
  })
  const wire = await startWireServer({
    dialect: anthropicMessages,
    script: [{ reasoning: [{ text: "Hm.", state: "signed" }], text: "It says two." }],
  })
  onTestFinished(() => wire.close())
  const again = await startHarness(["run", "And now?", "--resume", id.slice(0, 8)], {
    home: home.path,
    cwd: "/",
    env: {
      HARNESS_MODEL: "anthropic/claude-sonnet-5",
      ANTHROPIC_API_KEY: "not-a-key",
      ANTHROPIC_BASE_URL: wire.baseUrl,
    },
  }).ended
  expect(again).toMatchObject({ exitCode: 0, stderr: "" })
  expect(again.stdout).toContain(
    [
      `conversation ${id} goes on in ${project.path}`,
      "what is not as it was:",
      "- Files that changed: a.txt. Read them again before you change them.",
      "- The model is anthropic/claude-sonnet-5, and was openai-compatible/scripted.",
    ].join("\n"),
  )
  expect(again.stdout).toContain(`answered · 3 steps · conversation ${id}`)
  const text = wire.requests[0]?.text ?? ""
  for (const said of ["Do it.", "It says one.", "And now?", "The model is anthropic"]) {
    expect(text).toContain(said)
  }
})
