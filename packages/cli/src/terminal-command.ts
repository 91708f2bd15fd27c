import { Command, CommanderError, type OutputConfiguration } from "commander"
import { notEmpty } from "./arguments.ts"
import { help } from "./help.ts"
import type { Exit, Invocation } from "./invocation.ts"
import type { TerminalOptions } from "./terminal/contracts.ts"

/** What opens the terminal without a command's name: `harness "message" --folder x`. */
export function terminalCommand(invocation: Invocation, ended: (exit: Exit) => void): Command {
  const command = new Command("harness")
    .argument("[message]", "what to do, in quotes", notEmpty)
    .option("--folder <folder>", "the project's folder (default: where you are)", notEmpty)
    .option("--model <provider/model>", "the model (default: HARNESS_MODEL, config)", notEmpty)
    .option("--resume <conversation>", "go on with a conversation", notEmpty)
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput(outputsOf(invocation))
    .action(async (message: string | undefined, options: Omit<TerminalOptions, "message">) => {
      ended(await open({ ...options, ...(message !== undefined && { message }) }, invocation))
    })
  command.helpInformation = () => help
  return command
}

/** `harness resume [conversation]`. */
export function resumeCommand(invocation: Invocation, ended: (exit: Exit) => void): Command {
  return new Command("resume")
    .description("go on with a conversation in the terminal; without one, choose it")
    .argument("[conversation]", "its id, the beginning of it, or last", notEmpty)
    .option("--folder <folder>", "the project's folder (default: the conversation's)", notEmpty)
    .option("--model <provider/model>", "another model than it had", notEmpty)
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput(outputsOf(invocation))
    .action(async (resume = "", options: Omit<TerminalOptions, "message" | "resume">) => {
      ended(await open({ ...options, resume }, invocation))
    })
}

/** Where a parser's own words go; problems are told by who called it. */
export function outputsOf({ stdout, stderr }: Invocation): OutputConfiguration {
  return {
    writeOut: text => stdout.write(text),
    writeErr: text => stderr.write(text),
    outputError: () => {},
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
  }
}

/** With nobody at a terminal a message is a run of one turn, and what asks is denied. */
async function open(options: TerminalOptions, invocation: Invocation): Promise<Exit> {
  const { stdin, stdout } = invocation
  if (stdin.isTTY && stdout.isTTY) {
    const { openTerminal } = await import("./terminal/start/open-terminal.ts")
    return openTerminal(invocation, options)
  }

  const { message, ...given } = options
  if (message === undefined) {
    const words = 'without a terminal a message is needed: harness "message"'
    throw new CommanderError(2, "harness.noTerminal", words)
  }
  const { run } = await import("./commands/run.ts")
  return run(message, { ...given, agent: "harness", approveDefault: "gate" }, invocation)
}
