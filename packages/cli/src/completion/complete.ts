import type { Command, Option } from "commander"
import type { Exit, Invocation } from "../invocation.ts"
import { visible } from "../text/visible.ts"
import { oneLine } from "../text/width.ts"
import { knownBy } from "./known.ts"
import { type Candidates, candidatesFor } from "./words.ts"

/** A shell that waits for words does not wait longer. */
const patienceMs = 3_000

/** `harness complete -- <words>`: what the scripts of the shells ask. Tells nothing when it fails. */
export async function complete(
  words: readonly string[],
  root: { program: Command; options: readonly Option[] },
  invocation: Invocation,
): Promise<Exit> {
  const known = knownBy(invocation)
  const late = AbortSignal.timeout(patienceMs)
  const given = candidatesFor(words, root, known).catch((): Candidates => nothing)
  const { words: candidates, paths } = await Promise.race([given, whenAborted(late)])

  const lines = candidates.map(({ value, note }) => `${value}\t${visible(oneLine(note))}`)
  invocation.stdout.write([...lines, `:${paths}`, ""].join("\n"))
  return { code: 0, now: true }
}

const nothing: Candidates = { words: [], paths: "none" }

function whenAborted(signal: AbortSignal): Promise<Candidates> {
  return new Promise(resolve => {
    signal.addEventListener("abort", () => resolve(nothing), { once: true })
  })
}
