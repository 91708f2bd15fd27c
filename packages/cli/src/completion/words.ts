import type { Argument, Command, Option } from "commander"

/** What can stand in the place of the last word. */
export type Candidates = { words: readonly Candidate[]; paths: "none" | "files" | "folders" }

export type Candidate = { value: string; note: string }

/** What is only known by looking: loaded when it is asked for. */
export type Known = {
  conversations(): Promise<readonly Candidate[]>
  models(): Promise<readonly Candidate[]>
  providers(): Promise<readonly Candidate[]>
  packages(): Promise<readonly Candidate[]>
}

/**
 * What the last word can become, by the parser itself: commands, options, choices, and what is known
 * of conversations, models, providers and packages.
 *
 * @param words those after `harness`; the last one is being typed and may be empty
 * @param root the parser, and the options that count without a command
 */
export async function candidatesFor(
  words: readonly string[],
  root: { program: Command; options: readonly Option[] },
  known: Known,
): Promise<Candidates> {
  const typed = words.at(-1) ?? ""
  const { command, options, given, awaiting } = readWords(words.slice(0, -1), root)
  if (awaiting !== undefined) return fitting(typed, await valuesOf(awaiting, known))

  const [, name = "", value = ""] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? []
  const named = options.find(option => option.long === name)
  if (named !== undefined) {
    const { words: values, paths } = fitting(value, await valuesOf(named, known))
    return { words: values.map(each => ({ ...each, value: `${name}=${each.value}` })), paths }
  }
  if (typed.startsWith("-")) {
    const shown = options.filter(option => !option.hidden)
    return fitting(
      typed,
      plain(shown.map(each => noted(each.long ?? each.flags, each.description))),
    )
  }

  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map(each => noted(each.name(), each.description()))
  const argument = command.registeredArguments[given]
  const values = argument === undefined ? plain([]) : await valuesOf(argument, known)
  const all = given === 0 ? [...commands, ...values.words] : values.words
  return fitting(typed, { words: all, paths: values.paths })
}

/** Where the words lead: the command, how many of its arguments stand there, an option without its value. */
function readWords(
  words: readonly string[],
  { program, options: first }: { program: Command; options: readonly Option[] },
) {
  let command = program
  let given = 0
  let awaiting: Option | undefined
  const optionsOf = (of: Command) => [
    ...of.createHelp().visibleOptions(of),
    ...(of === program ? first : []),
  ]

  for (const word of words) {
    if (awaiting !== undefined) {
      awaiting = undefined
    } else if (word.startsWith("-")) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short)
      if (option?.required) awaiting = option
    } else {
      const next = given === 0 ? command.commands.find(each => each.name() === word) : undefined
      if (next === undefined) given += 1
      else command = next
    }
  }
  return { command, options: optionsOf(command), given, awaiting }
}

async function valuesOf(of: Option | Argument, known: Known): Promise<Candidates> {
  if (of.argChoices) return plain(of.argChoices.map(value => noted(value, "")))
  switch ("long" in of ? of.long : of.name()) {
    case "--folder":
    case "folder":
      return { words: [], paths: "folders" }
    case "--image":
    case "--output":
    case "package":
      return { words: [], paths: "files" }
    case "--resume":
    case "conversation":
      return plain(await known.conversations())
    case "--model":
      return plain(await known.models())
    case "provider":
      return plain(await known.providers())
    case "name":
      return plain(await known.packages())
    default:
      return plain([])
  }
}

function plain(words: readonly Candidate[]): Candidates {
  return { words, paths: "none" }
}

function noted(value: string, note: string): Candidate {
  return { value, note }
}

function fitting(typed: string, { words, paths }: Candidates): Candidates {
  return { words: words.filter(({ value }) => value.startsWith(typed)), paths }
}
