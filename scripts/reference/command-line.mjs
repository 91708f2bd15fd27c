import { commands } from "../../packages/cli/src/command-line.ts"
import { terminalCommand } from "../../packages/cli/src/terminal-command.ts"
import { code, page, table } from "./markdown.mjs"

/** @typedef {ReturnType<typeof commands>} Command */

/** Every command with its arguments and options, as the parser itself knows them. */
export function commandLinePage() {
  const program = commands(neverRun, () => {})
  return page("Command line", [
    "What `harness run` prints and how it ends: [running](../guide/running.md).",
    optionTable(program),
    ...terminalSection(),
    ...program
      .createHelp()
      .visibleCommands(program)
      .filter(command => command.name() !== "help")
      .flatMap(command => section(command, "harness")),
  ])
}

/** The words that stand without a command's name. */
function terminalSection() {
  const command = terminalCommand(neverRun, () => {})
  return [
    "## `harness`",
    "`harness [message]`: open a conversation in the terminal ([terminal](../guide/terminal.md)).",
    argumentTable(command),
    optionTable(command),
  ]
}

const nowhere = {
  isTTY: false,
  columns: 80,
  closed: new AbortController().signal,
  write: () => {},
}

/** The parser wants an invocation, and only looks at it when a command runs. */
const neverRun = {
  argv: [],
  env: {},
  cwd: process.cwd(),
  stdin: { isTTY: false, open: () => process.stdin },
  stdout: nowhere,
  stderr: nowhere,
  screen: runsNothing,
  signals: process,
  compose: runsNothing,
}

/** @returns {never} */
function runsNothing() {
  throw new Error("the reference runs no command")
}

/**
 * A command that only holds others is told by them.
 *
 * @param {Command} command
 * @param {string} above
 * @returns {string[]}
 */
function section(command, above) {
  const name = `${above} ${command.name()}`
  if (command.commands.length > 0) return command.commands.flatMap(each => section(each, name))

  const usage = [name, ...command.registeredArguments.map(nameOf)].join(" ")
  return [
    `## \`${name}\``,
    `\`${usage}\`: ${command.description()}.`,
    argumentTable(command),
    optionTable(command),
  ]
}

/** @param {Command} command */
function argumentTable({ registeredArguments }) {
  if (registeredArguments.length === 0) return ""
  const rows = registeredArguments.map(each => [code(nameOf(each)), each.description])
  return table(["argument", "meaning"], rows)
}

/** @param {Command["registeredArguments"][number]} argument */
function nameOf(argument) {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

/** @param {Command} command */
function optionTable(command) {
  const options = command.createHelp().visibleOptions(command)
  const rows = options.map(({ flags, description, argChoices, defaultValue }) => [
    code(flags),
    argChoices?.map(code).join(", ") ?? "",
    [description, ...(defaultValue === undefined ? [] : [`(default: ${defaultValue})`])].join(" "),
  ])
  return table(["option", "choices", "meaning"], rows)
}
