import { Command, CommanderError, Option } from "commander"
import { approvalCommandNames, approvalCommands } from "./approval-commands.ts"
import { notEmpty, paths, positiveInteger, positiveNumber } from "./arguments.ts"
import type { RunOptions } from "./commands/run.ts"
import { completionCommandNames, completionCommands } from "./completion-commands.ts"
import { conversationCommandNames, conversationCommands } from "./conversation-commands.ts"
import { usageExit } from "./exit-codes.ts"
import { help } from "./help.ts"
import type { Exit, Invocation } from "./invocation.ts"
import { keptCommandNames, keptCommands } from "./kept-commands.ts"
import { modelCommandNames, modelCommands } from "./model-commands.ts"
import { outputsOf, resumeCommand, terminalCommand } from "./terminal-command.ts"
import { visible } from "./text/visible.ts"
import { readVersion } from "./version.ts"

/**
 * The `harness` command: reads the words, runs the command they name and says how it ended. Never
 * throws; each command's code and the kernel are loaded when it is named, not before.
 *
 * @example
 * const { code } = await main({ argv: ["list"], env, cwd, stdin, stdout, stderr, signals, compose })
 */
export async function main(invocation: Invocation): Promise<Exit> {
  let exit: Exit = { code: 0 }
  const ended = (how: Exit) => {
    exit = how
  }

  try {
    const parser = opensTerminal(invocation)
      ? terminalCommand(invocation, ended)
      : commands(invocation, ended)
    await parser.parseAsync(invocation.argv, { from: "user" })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error, invocation)
    const { printThrown } = await import("./problems.ts")
    return { code: await printThrown(error, invocation) }
  }
}

/**
 * True for the words that open the terminal: `harness`, `harness --resume 7f3a2c`, `harness "a message"`.
 * A first word without white space is a command's name, so that a wrong one is told.
 */
function opensTerminal({ argv: [first], stdin, stdout }: Invocation): boolean {
  if (first === undefined) return stdin.isTTY && stdout.isTTY
  if (/^--(?:folder|model|resume)(?:=|$)/.test(first)) return true
  return !first.startsWith("-") && /\s/.test(first.trim())
}

/** The parser with every command; each tells `ended` how it ended. */
export function commands(invocation: Invocation, ended: (exit: Exit) => void): Command {
  const program = new Command("harness")
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput(outputsOf(invocation))

  program.helpInformation = () => help

  program
    .command("install")
    .description("install a package: its name, npm:<spec>, a folder (./path) or a tarball")
    .argument("<package>", "what to install", notEmpty)
    .option("--link", "use the folder in place, for a checkout that is being worked on")
    .option("-y, --yes", "consent to what it contributes and may do, without being asked")
    .action(async (spec: string, options: { link?: true; yes?: true }) => {
      const { install } = await import("./commands/install.ts")
      ended({ code: await install(spec, options, invocation) })
    })

  program
    .command("uninstall")
    .description("remove an installed package")
    .argument("<name>", "as `harness list` shows it", notEmpty)
    .action(async (name: string) => {
      const { uninstall } = await import("./commands/uninstall.ts")
      ended({ code: await uninstall(name, invocation) })
    })

  program
    .command("list")
    .description("list the packages: what ships with harness and what is installed")
    .option("--folder <folder>", "also what the project in that folder brings", notEmpty)
    .option("--json", "print them as JSON")
    .action(async (options: { json?: true; folder?: string }) => {
      const { list } = await import("./commands/list.ts")
      ended({ code: await list(options, invocation) })
    })

  program.addCommand(resumeCommand(invocation, ended))

  runOptions(program.command("run")).action(async (task: string, options: RunOptions) => {
    const { run } = await import("./commands/run.ts")
    ended(await run(task, options, invocation))
  })

  program
    .command("trust")
    .description("let the .harness/ of a folder count: its configuration and packages")
    .argument("[folder]", "the project's folder (default: where you are)", notEmpty)
    .option("--remove", "withdraw the trust")
    .option("-y, --yes", "trust what it brings, without being asked")
    .action(async (folder: string | undefined, options: { remove?: true; yes?: true }) => {
      const { trust } = await import("./commands/trust.ts")
      ended({ code: await trust(folder, options, invocation) })
    })

  program
    .command("doctor")
    .description("print what harness finds on this machine, and whether commands can be contained")
    .option("--json", "print it as JSON")
    .action(async (options: { json?: true }) => {
      const { doctor } = await import("./commands/doctor.ts")
      ended({ code: await doctor(options, invocation) })
    })

  conversationCommands(program, invocation, code => ended({ code }))
  keptCommands(program, invocation, code => ended({ code }))
  modelCommands(program, invocation, code => ended({ code }))
  approvalCommands(program, invocation, code => ended({ code }))

  completionCommands(program, invocation, ended)

  const config = program.command("config").description("look at the configuration")
  config
    .command("show")
    .description("print each value and where it comes from")
    .option("--folder <folder>", "as it counts for the project in that folder", notEmpty)
    .option("--json", "print them as JSON")
    .action(async (options: { json?: true; folder?: string }) => {
      const { showConfig } = await import("./commands/config.ts")
      ended({ code: await showConfig(options, invocation) })
    })

  return program
}

function runOptions(run: Command): Command {
  return run
    .description("let the model carry out a task in a folder")
    .argument("<task>", "what to do, in quotes; - reads it from standard input", notEmpty)
    .option("--folder <folder>", "the project's folder (default: where you are)", notEmpty)
    .option(
      "--resume <conversation>",
      "go on with a conversation: its id, a beginning of it, or last (of the folder)",
      notEmpty,
    )
    .option("--kind <kind>", "the kind of environment (default: the one installed)", notEmpty)
    .addOption(new Option("--agent <agent>", "who works").choices(["harness"]).default("harness"))
    .option("--model <provider/model>", "the model (default: HARNESS_MODEL, config)", notEmpty)
    .addOption(
      new Option("--style <style>", "whether the model writes programs or calls tools").choices([
        "programs",
        "tools",
      ]),
    )
    .addOption(
      new Option("--approve <mode>", "what asks you first").choices([
        "gate",
        "programs",
        "none",
        "plan",
      ]),
    )
    .addOption(
      new Option("--sandbox <sandbox>", "what contains commands; off: your own authority").choices([
        "os",
        "off",
      ]),
    )
    .option("--network", "let contained commands use the network")
    .option("--image <path>", "a picture that comes with the task; repeat it for more", paths)
    .option("--verify <command>", "a command that decides whether the task is done", notEmpty)
    .option("--max-steps <count>", "model requests in the turn, at most", positiveInteger)
    .option("--max-cost <usd>", "US dollars, at most", positiveNumber)
    .option("--allow-unknown-price", "go on where nobody knows what the model costs")
    .option("--max-tokens <count>", "tokens, input and output, at most", positiveInteger)
    .option(
      "--max-wall-seconds <seconds>",
      "time of the turn, without waits for you",
      positiveNumber,
    )
    .addOption(
      new Option("--json", "print every event as one JSON line, nothing else").conflicts("print"),
    )
    .option("-p, --print", "print the answer alone")
}

/** Help and the version end well; all else is a wrong call, told in one line. */
function endOfParsing(error: CommanderError, { argv, stderr }: Invocation): Exit {
  if (error.exitCode === 0) return { code: 0 }
  if (error.code === "commander.help") return { code: usageExit }

  const message = error.message.replace(/^error: |\.$/g, "").replaceAll(/\s*\n\s*/g, " ")
  const command = argv.find(word => !word.startsWith("-")) ?? ""
  const names = ["install", "uninstall", "list", "resume", "run", "trust", "doctor", "config"]
  const known = [
    ...names,
    ...conversationCommandNames,
    ...keptCommandNames,
    ...modelCommandNames,
    ...approvalCommandNames,
    ...completionCommandNames,
  ].includes(command)
  const help = known ? `harness ${command} --help` : "harness --help"
  stderr.write(`error usage: ${visible(message)}; see ${help}\n`)
  return { code: usageExit }
}
