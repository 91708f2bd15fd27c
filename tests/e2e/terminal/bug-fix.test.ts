// The bug-fix story as a person sees and answers it, in tmux.
import { setTimeout as delay } from "node:timers/promises"
import { expect, onTestFinished, test } from "vitest"
import { linkedHome } from "../../../packages/cli/test/support/linked-home.ts"
import { type Script, startScriptedServer } from "../../support/scripted-server.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"
import { inTmux } from "./support/tmux.ts"

const list =
  "export const total = list => list.length - 1\nexport const count = list => list.length - 1\n"
const check =
  'import { total } from "./list.js"\nif (total([1, 2]) !== 2) { console.error("FAIL total is 1"); process.exit(1) }\nconsole.log("all pass")\n'

async function story(
  script: Script,
  { style, limits = {} }: { style: "tools" | "programs"; limits?: Record<string, number> },
) {
  const [home, project, server] = await Promise.all([
    linkedHome(),
    temporaryFolder({ "list.js": list, "check.js": check, "package.json": '{"type":"module"}' }),
    startScriptedServer({ script }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove(), home.remove()])
  })
  await home.write({ "config.jsonc": JSON.stringify({ limits }) })
  const terminal = await inTmux(["fix total in list.js"], {
    cwd: project.path,
    env: {
      HOME: home.path,
      HARNESS_HOME: home.path,
      HARNESS_MODEL: "openai-compatible/scripted",
      HARNESS_STYLE: style,
      HARNESS_SANDBOX: "off",
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "not-a-key",
    },
  })
  return { project, server, terminal }
}

test("in the style tools: read by itself, an ambiguous edit told, an edit shown and approved, a failing test shown, a denied command answered by another proposal", async () => {
  const call = (tool: string, args: object) => ({ calls: [{ tool, arguments: { ...args } }] })
  const { project, server, terminal } = await story(
    [
      call("read", { path: "list.js" }),
      call("edit", { path: "list.js", old_text: "list.length - 1", new_text: "list.length" }),
      call("bash", { command: "node check.js" }),
      call("edit", {
        path: "list.js",
        old_text: "total = list => list.length - 1",
        new_text: "total = list => list.length",
      }),
      call("bash", { command: "rm -rf node_modules && node check.js" }),
      call("bash", { command: "node ./check.js" }),
      { text: "It is **fixed**: total counts all." },
    ],
    { style: "tools" },
  )

  await terminal.shown(/read list\.js/)
  await terminal.shown(/old_text is at 2 places[\s\S]*Let it\?/)
  await terminal.decide("a")
  await terminal.shown(/error ambiguous_match · old_text found 2 times/)
  await terminal.shown(/node check\.js[\s\S]*Let it\?/)
  await terminal.decide("a")
  await terminal.shown(/exit 1/)
  const asked = await terminal.shown(/\+export const total = list => list\.length\n[\s\S]*Let it\?/)
  expect(asked).toContain("-export const total = list => list.length - 1")
  expect(await project.text("list.js")).toBe(list)
  await terminal.decide("a")
  await terminal.shown(/rm -rf node_modules[\s\S]*Let it\?/)
  await terminal.decide("d")
  await terminal.shown(/Enter denies/)
  await terminal.type("no removing")
  await terminal.press("Enter")
  await terminal.shown(/node \.\/check\.js[\s\S]*Let it\?/)
  await terminal.decide("a")
  await terminal.shown(/answered · 7 steps/)
  expect(server.requests[5]?.results.join()).toContain("no removing")

  await terminal.type("/cost")
  await terminal.press("Enter")
  const table = await terminal.shown(/final answer/)
  for (const outcome of ["ok · auto", "approved", "approved · exit 0", "denied"]) {
    expect(table).toContain(outcome)
  }
  expect(table).toContain("It is fixed: total counts all.")
  expect(await project.text("list.js")).toContain("total = list => list.length\n")

  await terminal.press("C-c")
  await terminal.press("C-c")
  await terminal.shown(/is resumable: harness --resume/)
})

test("in the style programs: an action in the middle of a program waits at the gate, longer than the program itself may take, and goes on", async () => {
  const python = [
    'text = read_file("list.js")["text"]',
    'edit_file("list.js", "total = list => list.length - 1", "total = list => list.length")',
    'print("exit", run_command("node check.js")["exit_code"])',
  ].join("\n")
  const { project, server, terminal } = await story(
    [
      { calls: [{ tool: "run_program", arguments: { language: "python", source: python } }] },
      { text: "It is fixed." },
    ],
    { style: "programs", limits: { program_seconds: 4, program_total_seconds: 4 } },
  )
  await terminal.shown(/\+export const total = list => list\.length\n[\s\S]*Let it\?/)
  await delay(5_000)
  await terminal.decide("a")
  await terminal.shown(/node check\.js[\s\S]*Let it\?/)
  await terminal.decide("a")
  await terminal.shown(/answered · 2 steps/)
  expect(server.requests[1]?.results.join()).toContain("exit 0")
  expect(await project.text("list.js")).toContain("total = list => list.length\n")
})
