import { Argument, Command, Option } from "commander"
import { expect, test } from "vitest"
import { candidatesFor, type Known } from "../../src/completion/words.ts"

const known: Known = {
  conversations: async () => [{ value: "7f3a2c", note: "Fix it" }],
  models: async () => [{ value: "a/b:7b", note: "window 1,000" }],
  providers: async () => [{ value: "anthropic", note: "" }],
  packages: async () => [{ value: "workspace", note: "1.0.0" }],
}

function root() {
  const program = new Command("harness").helpCommand(false).helpOption(false)
  program
    .command("run")
    .helpOption(false)
    .description("work")
    .argument("<task>")
    .addOption(new Option("--style <style>", "how").choices(["programs", "tools"]))
    .option("-o, --output <file>", "where")
    .option("--json", "as JSON")
  program.command("hidden", { hidden: true })
  program.command("resume").helpOption(false).argument("[conversation]")
  program
    .command("completion")
    .helpOption(false)
    .addArgument(new Argument("<shell>").choices(["zsh"]))
  const kept = program.command("kept").helpOption(false).helpCommand(false).description("of those")
  kept.command("show").helpOption(false).argument("<conversation>")
  const options = [new Option("--model <m>", "which"), new Option("--folder <f>", "where")]
  return { program, options }
}

const cases: readonly (readonly [
  words: string[],
  values: string[],
  paths?: "files" | "folders",
])[] = [
  [[""], ["run", "resume", "completion", "kept"]],
  [["r"], ["run", "resume"]],
  [["--"], ["--model", "--folder"]],
  [["--model", "a/"], ["a/b:7b"]],
  [["--model=a/"], ["--model=a/b:7b"]],
  [["--folder", ""], [], "folders"],
  [["run", ""], []],
  [["run", "r"], []],
  [
    ["run", "it", "--"],
    ["--style", "--output", "--json"],
  ],
  [["run", "--json", "--style", "t"], ["tools"]],
  [["run", "--style", "tools", "it", "-o", "x"], [], "files"],
  [["resume", "7"], ["7f3a2c"]],
  [["resume", "7f3a2c", ""], []],
  [["completion", ""], ["zsh"]],
  [["kept", ""], ["show"]],
  [["kept", "show", ""], ["7f3a2c"]],
  [["nothing", ""], []],
]

test.for(cases)("%j can become %j", async ([words, values, paths = "none"]) => {
  const found = await candidatesFor(words, root(), known)
  expect({ ...found, words: found.words.map(({ value }) => value) }).toEqual({
    words: values,
    paths,
  })
})
