import { expect, test } from "vitest"
import { actionNamed, openProject } from "../support/project.ts"

test("a command line runs in a shell in the root", async () => {
  const project = await openProject({ "a.txt": "" })
  const result = await project.run("run_command", { command: "ls && exit 3" })
  expect(result).toEqual({
    exit_code: 3,
    output: "a.txt\n",
    status: "exited",
    elapsed_seconds: expect.any(Number),
    output_bytes: 6,
    output_id: expect.any(String),
    truncated: false,
  })
})

test("files that steer others are named when a command changed them", async () => {
  const project = await openProject({ "a.txt": "", "package.json": "{}" })
  const quiet = await project.run("run_command", { command: "echo 1 > a.txt" })
  expect(quiet).not.toHaveProperty("touched")
  const command = "echo 1 > package.json; mkdir .vscode; echo 1 > .vscode/tasks.json"
  expect(await project.run("run_command", { command })).toMatchObject({
    touched: [".vscode/tasks.json", "package.json"],
  })
})

test("an argv runs directly: nothing in it is read by a shell", async () => {
  const project = await openProject()
  const command = ["printf", "%s|", "a b", "$HOME", "*", "'"]
  expect(await project.run("run_command", { command })).toMatchObject({
    exit_code: 0,
    output: "a b|$HOME|*|'|",
  })
})

test("cwd is below the root and env is added", async () => {
  const project = await openProject({ "sub/a.txt": "" })
  const command = 'ls; echo "$GREETING"'
  const input = { command, cwd: "sub", env: { GREETING: "hi" } }
  expect(await project.run("run_command", input)).toMatchObject({ output: "a.txt\nhi\n" })
})

test.each([
  ["..", "outside_root"],
  ["a.txt", "not_a_folder"],
  ["nothing", "not_found"],
])("in the cwd %s nothing runs: %s", async (cwd, error) => {
  const project = await openProject({ "a.txt": "" })
  expect(await project.run("run_command", { command: "true", cwd })).toMatchObject({ error })
})

test.each([0, -1, 3_601])("the timeout %d is refused and nothing runs", async timeout => {
  const project = await openProject()
  expect(await project.run("run_command", { command: "touch ran", timeout })).toEqual({
    error: "invalid_timeout",
    timeout,
    message: `The timeout ${timeout} is not usable; nothing ran. Give more than 0 and at most 3600 seconds.`,
  })
  expect(await project.run("list_files", {})).toMatchObject({ files: [] })
})

test("a command that does not end in time has the status timeout and no exit code", async () => {
  const project = await openProject()
  const result = await project.run("run_command", { command: ["sleep", "60"], timeout: 0.2 })
  expect(result).toMatchObject({ status: "timeout", exit_code: null })
  expect(actionNamed("run_command").summarise?.({ command: "sleep 60" }, result)).toMatch(
    /^timeout · \d+\.\ds$/,
  )
})

test("a program that is not there is an error that names it", async () => {
  const project = await openProject()
  expect(await project.run("run_command", { command: ["no-such-program", "-v"] })).toMatchObject({
    error: "not_started",
    status: "not_started",
    exit_code: null,
    message: expect.stringMatching(/^no-such-program was not started: /),
  })
})

test("bash runs a command line when asked for", async () => {
  const project = await openProject()
  const command = 'test -n "$BASH_VERSION" && [[ a == a ]] && echo yes'
  expect(await project.run("run_command", { command, shell: "bash" })).toMatchObject({
    output: "yes\n",
  })
})

test("a person is shown the exact command, where, how long and what it may do", async () => {
  const project = await openProject({}, { sandbox: "os", network: false })
  const argv = ["git", "commit", "-m", "it's done", "a\u001b[2Kb"]
  const input = { command: argv, cwd: "sub dir", env: { CI: "1" }, timeout: 5 }
  expect(await project.preview("run_command", input)).toEqual({
    preview: {
      format: "command",
      text: "# no shell · cwd 'sub dir' · timeout 5 s · env CI=1\n# sandboxed · writes only in the folder · network off\ngit commit -m 'it'\\''s done' $'a\\u001b[2Kb'",
      command: {
        line: "git commit -m 'it'\\''s done' $'a\\u001b[2Kb'",
        shell: null,
        cwd: "sub dir",
        env: { CI: "1" },
        timeout_seconds: 5,
        sandbox: "os",
        writes: "folder",
        network: false,
      },
    },
    basis: null,
  })
  expect(await project.preview("run_command", { command: "npm test\necho \u202Edone" })).toEqual({
    preview: {
      format: "command",
      text: "# sh · cwd . · timeout 120 s\n# sandboxed · writes only in the folder · network off\nnpm test\necho \\u202edone",
      command: {
        line: "npm test\necho \u202Edone",
        shell: "sh",
        cwd: ".",
        env: {},
        timeout_seconds: 120,
        sandbox: "os",
        writes: "folder",
        network: false,
      },
    },
    basis: null,
  })
})

test.each([
  ["os", false, null, "sandboxed · writes only in the folder · network off"],
  ["os", false, "to install", "sandboxed · writes only in the folder · network: 'to install'"],
  ["os", false, "a\nrm b\u202e", "… network: $'a\\nrm b\\u202e'"],
  ["os", true, "to install", "sandboxed · writes only in the folder · network on"],
  ["off", true, "to install", "no sandbox: it runs with your own authority"],
] as const)(
  "with the sandbox %s, network %s, reason %j a person reads what holds it",
  async (sandbox, network, reason, words) => {
    const project = await openProject({}, { sandbox, network })
    const { preview } = await project.preview("run_command", { command: "npm ci", network: reason })
    const whole = words.replace("…", "sandboxed · writes only in the folder ·")
    expect(preview.text).toBe(`# sh · cwd . · timeout 120 s\n# ${whole}\nnpm ci`)
    expect(preview.command).toMatchObject({
      sandbox,
      writes: sandbox === "os" ? "folder" : "anywhere",
      network: sandbox === "off" || network || reason !== null,
    })
  },
)

test("a reason for the network asks for leave, and none asks for nothing", () => {
  const permits = actionNamed("run_command").permits
  expect(permits?.({ command: "npm ci" })).toEqual([])
  expect(permits?.({ command: "npm ci", network: null })).toEqual([])
  expect(permits?.({ command: "npm ci", network: "to install" })).toEqual([
    { permit: "network", reason: "to install" },
  ])
  expect(() => permits?.({ command: "npm ci", network: "" })).toThrow()
})

test("a person is told how a command ended", () => {
  const summarise = actionNamed("run_command").summarise
  const ended = { status: "exited", exit_code: 1, elapsed_seconds: 6.24, output_bytes: 48_213 }
  const input = { command: "npm test" }
  expect(summarise?.(input, { ...ended, truncated: true })).toBe(
    "exit 1 · 6.2s · output truncated, 48,213 bytes original",
  )
  expect(summarise?.(input, { ...ended, truncated: false })).toBe("exit 1 · 6.2s")
  expect(summarise?.(input, { error: "invalid_timeout" })).toBe(
    "run npm test error invalid_timeout",
  )
  expect(summarise?.({ command: "a\n  b" }, { status: "denied", by: "user" })).toBe(
    "run a b denied by user",
  )
})
