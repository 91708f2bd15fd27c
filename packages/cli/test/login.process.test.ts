import { spawn } from "node:child_process"
import { readFile, stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { type TemporaryFolder, temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { harness } from "./support/harness.ts"

const key = "sk-test-not-a-key"

async function emptyHome(): Promise<TemporaryFolder> {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())
  return home
}

const login = ["login", "openai-compatible"]

test("a key that is piped in goes into the file where there is no keychain, and the command says so", async () => {
  const home = await emptyHome()
  const end = await harness(login, { home: home.path, stdin: `${key}\n`, boundary: "json" })

  expect(end).toEqual({
    exitCode: 0,
    signal: null,
    stdout: `openai-compatible: the key is in ${home.at("keys.json")}, for you alone\n`,
    stderr: expect.stringMatching(/^note: the keychain could not take it: .+\n$/),
  })
  expect(JSON.parse(await readFile(home.at("keys.json"), "utf8"))).toEqual({
    version: 1,
    providers: { "openai-compatible": { stored: "file", key } },
  })
  expect((await stat(home.at("keys.json"))).mode & 0o777).toBe(0o600)
})

test("doctor says where each key comes from, and logout takes a stored one away", async () => {
  const home = await emptyHome()
  const env = { OPENAI_API_KEY: "from-the-environment" }
  const keysOf = async (variables: Record<string, string>) => {
    const { stdout } = await harness(["doctor", "--json"], { home: home.path, env: variables })
    return JSON.parse(stdout).keys
  }
  const none = { provider: "replay", from: "unneeded", variable: null, reason: null }
  const own = { provider: "openai-compatible", variable: "OPENAI_API_KEY", reason: null }
  expect(await keysOf({})).toEqual([{ ...own, from: "none" }, none])

  const overridden = await harness([...login, "--file"], { home: home.path, env, stdin: key })
  expect(overridden.stderr).toBe("note: OPENAI_API_KEY is set and goes before it\n")
  expect(await keysOf({})).toEqual([{ ...own, from: "file" }, none])
  expect(await keysOf(env)).toEqual([{ ...own, from: "environment" }, none])

  const words = await harness(["doctor"], { home: home.path })
  expect(words.stdout).toMatch(/^key of openai-compatible +from keys\.json$/m)
  expect(words.stdout).not.toContain(key)

  expect(await harness(["logout", "openai-compatible"], { home: home.path, env })).toMatchObject({
    exitCode: 0,
    stdout: "openai-compatible: the key is gone from the file\n",
    stderr: "note: OPENAI_API_KEY is still set\n",
  })
  expect(await readFile(home.at("keys.json"), "utf8")).not.toContain(key)
})

test.for([
  { when: "standard input is empty", stdin: "", says: "standard input is empty" },
  { when: "the key is blank", stdin: " \n\n", says: "standard input is empty" },
  {
    when: "the key has two lines",
    stdin: `${key}\nmore\n`,
    says: "the key has a line break in it",
  },
  { when: "the key has a space", stdin: `${key} more\n`, says: "the key has a space in it" },
  {
    when: "the key is an argument",
    args: [key],
    says: "the provider's name is the only argument (a key is none: others could read it)",
  },
  {
    when: "the key is an option",
    args: [`--key=${key}`],
    says: "the provider's name is the only argument (a key is none: others could read it)",
  },
])("when $when, no key is stored, and one line says why without it", async refusal => {
  const home = await emptyHome()
  const { args = [], stdin = key, says } = refusal
  const end = await harness([...login, ...args], { home: home.path, stdin })

  expect(end).toMatchObject({ exitCode: 2, stdout: "" })
  const [first, next, ...more] = end.stderr.split("\n")
  expect(first).toBe(`error key_refused: No key was stored for openai-compatible: ${says}.`)
  expect(next).toMatch(/^next: .*harness login openai-compatible/)
  expect(more).toEqual([""])
  expect(end.stderr).not.toContain(key)
  expect(Object.keys(await home.files())).not.toContain("keys.json")
})

test("a provider that is not installed or takes no key is told before a key is asked for", async () => {
  const home = await emptyHome()
  const unknown = await harness(["login", "nobody"], { home: home.path, stdin: "open" })
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error provider_unknown: .*nobody.*\nnext: .*openai-compatible/),
  })
  const keyless = await harness(["login", "replay"], { home: home.path, stdin: "open" })
  expect(keyless).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^error key_refused: No key was stored for replay: it takes none/,
    ),
  })
})

test("at a terminal the key is not shown, and the terminal is as before, also after Ctrl-C", async () => {
  const home = await emptyHome()
  const typed = await atTerminal(home.path, `${key}\r`)
  expect(typed).toContain("Key for openai-compatible (it is not shown): ")
  expect(typed).toContain("the key is in ")
  expect(typed).not.toContain(key)
  expect(typed).toMatch(/exit 0, .*[^-]icanon.*[^-]echo /s)
  expect(JSON.parse(await readFile(home.at("keys.json"), "utf8"))).toMatchObject({
    providers: { "openai-compatible": { key } },
  })

  const interrupted = await atTerminal(home.path, "sk-half\u0003")
  expect(interrupted).not.toContain("sk-half")
  expect(interrupted).toMatch(/exit 130, .*[^-]icanon.*[^-]echo /s)
})

/** All that a terminal of its own shows when this is typed at the prompt, and then its settings. */
async function atTerminal(home: string, typed: string): Promise<string> {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
  const line = `"$NODE" --conditions=@harness/source "$MAIN" login openai-compatible --file; echo "exit $?, $(stty -a)"`
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    env: {
      PATH: process.env.PATH,
      HARNESS_HOME: home,
      HOME: home,
      NODE: process.execPath,
      MAIN: main,
    },
    stdio: ["pipe", "pipe", "inherit"],
  })

  let shown = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const before = shown
    shown += text
    if (shown.includes("shown): ") && !before.includes("shown): ")) child.stdin.write(typed)
  })
  await new Promise(resolve => child.once("close", resolve))
  return shown
}
