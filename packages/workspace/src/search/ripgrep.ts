import type { ActionContext, JsonObject } from "@harness/sdk"
import type { PathTest } from "../text/glob.ts"

/** What ripgrep printed, line by line or name by name. */
export type Listing = {
  status: "ran"
  /** The parts between the separators, in order; stop early at will. */
  parts: AsyncIterable<string>
  /** False when it was stopped (time, size), so that there may be more. */
  complete: boolean
  /** True when some files or folders could not be read. */
  skipped: boolean
}

export type ListingOrError = Listing | { status: "error"; result: JsonObject }

const TIMEOUT_SECONDS = 60

const PAGE_BYTES = 64_000

/** Ignore files count as in git, with or without a repository; hidden files are there, `.git` is not. */
const settings = [
  "--no-config",
  "--no-messages",
  "--hidden",
  "--no-require-git",
  "--no-follow",
  "--sort=path",
  "--glob=!.git",
]

/**
 * Runs ripgrep below the root. The exit code 1 says that nothing was found; 2 that something could
 * not be read, or that an argument is wrong: then nothing is printed.
 */
export async function ripgrep(
  args: readonly string[],
  { path, separator }: { path: string; separator: "\n" | "\0" },
  context: ActionContext,
): Promise<ListingOrError> {
  const program = await locateRipgrep()
  if (program === null) {
    const message =
      "ripgrep is not installed for this platform, so files cannot be listed or searched. Use run_command, for example with find or grep."
    return { status: "error", result: { error: "ripgrep_missing", message } }
  }

  const argv = [program, ...settings, ...args, "--", path === "." ? "./" : `./${path}`]
  const { receipt } = await context.processes.run({
    argv,
    timeoutSeconds: TIMEOUT_SECONDS,
    streams: "stdout",
    scratch: true,
  })
  const { status, exit_code, output_bytes } = receipt
  if (status === "exited" && exit_code === 2 && output_bytes === 0) {
    return { status: "error", result: await complaint(argv, context) }
  }
  if (status === "not_started" || status === "cancelled") {
    const message = `ripgrep did not finish: ${receipt.reason ?? status}. Try again, or use run_command.`
    return { status: "error", result: { error: status, message } }
  }

  return {
    status: "ran",
    parts: partsOf(receipt.output_id, separator, context),
    complete: status === "exited",
    skipped: exit_code === 2,
  }
}

/** The first of the listed paths that are wanted, relative to the root. */
export async function firstNames(
  names: AsyncIterable<string>,
  wants: PathTest,
  limit: number,
): Promise<{ names: string[]; more: boolean }> {
  const first: string[] = []
  for await (const name of names) {
    const path = name.replace(/^\.\//, "")
    if (!wants(path)) continue
    if (first.length === limit) return { names: first, more: true }
    first.push(path)
  }
  return { names: first, more: false }
}

/** The binary's path: the package picks it for the platform, and throws when it has none. */
async function locateRipgrep(): Promise<string | null> {
  try {
    const { rgPath } = await import("@vscode/ripgrep")
    return rgPath
  } catch {
    return null
  }
}

/** Runs it once more to see what it says on standard error: it fails before it reads a file. */
async function complaint(argv: readonly string[], { processes }: ActionContext) {
  const { preview } = await processes.run({ argv, timeoutSeconds: TIMEOUT_SECONDS, scratch: true })
  const reason = preview.replace(/^rg: /, "").trim()
  return { error: "invalid_pattern", message: `ripgrep cannot use the pattern. ${reason}` }
}

async function* partsOf(
  id: string,
  separator: string,
  { outputs, signal }: ActionContext,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  let offset = 0
  for (;;) {
    signal.throwIfAborted()
    const page = await outputs.read(id, { offset, limitBytes: PAGE_BYTES })
    if (page.status === "refused" || page.bytes.length === 0) break

    offset += page.bytes.length
    const parts = (rest + decoder.decode(page.bytes, { stream: true })).split(separator)
    rest = parts.pop() ?? ""
    yield* parts
  }
}
