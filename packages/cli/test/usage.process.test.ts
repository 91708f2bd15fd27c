import { expect, test } from "vitest"
import { runCli } from "../../../tests/support/run-cli.ts"
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts"
import { conversationCommandNames } from "../src/conversation-commands.ts"
import { help } from "../src/help.ts"
import { keptCommandNames } from "../src/kept-commands.ts"
import { modelCommandNames } from "../src/model-commands.ts"

async function harness(...args: string[]) {
  const home = await temporaryFolder()
  try {
    const { exitCode, stdout, stderr } = await runCli(args, {
      env: { HARNESS_HOME: home.at("home") },
    })
    return { exitCode, stdout, stderr, files: await home.files() }
  } finally {
    await home.remove()
  }
}

const wrong: readonly (readonly [args: string[], message: string])[] = [
  [["instal", "x"], "unknown command 'instal' (Did you mean install?); see harness --help"],
  [["--verbose"], "unknown option '--verbose'; see harness --help"],
  [["install"], "missing required argument 'package'; see harness install --help"],
  [["uninstall"], "missing required argument 'name'; see harness uninstall --help"],
  [
    ["list", "all"],
    "too many arguments for 'list'. Expected 0 arguments but got 1: all; see harness list --help",
  ],
  [
    ["gc", "--older-than", "soon"],
    "option '--older-than <age>' argument 'soon' is invalid. It is not an age like 30d or 12h; see harness gc --help",
  ],
  [
    ["undo", "last", "--turn", "0"],
    "option '--turn <number>' argument '0' is invalid. It is not a number above 0; see harness undo --help",
  ],
  [
    ["stats", "--since", "soon"],
    "option '--since <date>' argument 'soon' is invalid. It is not a date like 2026-11-30; see harness stats --help",
  ],
  [["redact", "last"], "missing required argument 'evidence'; see harness redact --help"],
  [["config", "shw"], "unknown command 'shw' (Did you mean show?); see harness config --help"],
  [
    ["--folder", "."],
    'without a terminal a message is needed: harness "message"; see harness --help',
  ],
  [
    ["resume", "last"],
    'without a terminal a message is needed: harness "message"; see harness resume --help',
  ],
  [["--model"], "option '--model <provider/model>' argument missing; see harness --help"],
  [
    ["completion", "csh"],
    "command-argument value 'csh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish; see harness completion --help",
  ],
  [["run"], "missing required argument 'task'; see harness run --help"],
  [
    ["run", " "],
    "command-argument value ' ' is invalid for argument 'task'. It is empty; see harness run --help",
  ],
  [
    ["run", "fix", "it"],
    "too many arguments for 'run'. Expected 1 argument but got 2: fix, it; see harness run --help",
  ],
  [
    ["run", "x", "--styl", "tools"],
    "unknown option '--styl' (Did you mean --style?); see harness run --help",
  ],
  [
    ["run", "x", "--style", "both"],
    "option '--style <style>' argument 'both' is invalid. Allowed choices are programs, tools; see harness run --help",
  ],
  [
    ["run", "x", "--approve", "all"],
    "option '--approve <mode>' argument 'all' is invalid. Allowed choices are gate, programs, none, plan; see harness run --help",
  ],
  [
    ["run", "x", "--sandbox", "on"],
    "option '--sandbox <sandbox>' argument 'on' is invalid. Allowed choices are os, off; see harness run --help",
  ],
  [
    ["run", "x", "--agent", "other"],
    "option '--agent <agent>' argument 'other' is invalid. Allowed choices are harness; see harness run --help",
  ],
  [["run", "x", "--folder"], "option '--folder <folder>' argument missing; see harness run --help"],
  [
    ["run", "x", "--folder", ""],
    "option '--folder <folder>' argument '' is invalid. It is empty; see harness run --help",
  ],
  [
    ["run", "x", "--image", ""],
    "option '--image <path>' argument '' is invalid. It is empty; see harness run --help",
  ],
  [
    ["run", "x", "--max-steps", "0"],
    "option '--max-steps <count>' argument '0' is invalid. It is not a number above 0; see harness run --help",
  ],
  [
    ["run", "x", "--max-steps", "1.5"],
    "option '--max-steps <count>' argument '1.5' is invalid. It is not a whole number; see harness run --help",
  ],
  [
    ["run", "x", "--max-cost", "-1"],
    "option '--max-cost <usd>' argument '-1' is invalid. It is not a number above 0; see harness run --help",
  ],
  [
    ["run", "x", "--max-cost", "1e3"],
    "option '--max-cost <usd>' argument '1e3' is invalid. It is not a number above 0; see harness run --help",
  ],
  [
    ["run", "x", "--json", "-p"],
    "option '--json' cannot be used with option '-p, --print'; see harness run --help",
  ],
]

test.concurrent.for(wrong)(
  "harness %j is refused in one line with exit code 2",
  async ([args, message]) => {
    expect(await harness(...args)).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: `error usage: ${message}\n`,
      files: {},
    })
  },
)

test("without a command the help is a wrong call's, on standard error", async () => {
  expect(await harness()).toEqual({ exitCode: 2, stdout: "", stderr: help, files: {} })
})

test.for(["--version", "-V"])("%s prints the version alone", async option => {
  expect(await harness(option)).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: "",
    files: {},
  })
})

test.for([["--help"], ["-h"], ["help"]])("%j prints the help", async args => {
  expect(await harness(...args)).toEqual({ exitCode: 0, stdout: help, stderr: "", files: {} })
})

const commandNames = ["install", "uninstall", "list", "resume", "run", "completion", "config"]

test.for([...commandNames, ...conversationCommandNames, ...keptCommandNames, ...modelCommandNames])(
  "the help of %s fits 80 columns and its command stands in the help of all",
  async command => {
    const { exitCode, stdout, stderr } = await harness(command, "--help")
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toMatch(new RegExp(`^Usage: harness ${command} `))
    expect(help).toMatch(new RegExp(`^  ${command} `, "m"))
    expect((stdout + help).split("\n").filter(line => line.length > 80)).toEqual([])
  },
)
