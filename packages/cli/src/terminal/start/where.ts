import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import type { Kernel } from "@harness/kernel"
import { ask } from "../../ask.ts"
import type { Invocation } from "../../invocation.ts"
import { visible } from "../../text/visible.ts"
import { askLine, choose, left, type Prompts } from "./prompts.ts"

/** Where to work: the folder, and the kind of environment when there is more than `project`. */
export type Where = { folder: string; kind?: string }

/** Asks where to work. Within a repository Enter takes the folder in which the person is. */
export async function askWhere(
  kernel: Pick<Kernel, "dispatch">,
  { cwd, env }: Pick<Invocation, "cwd" | "env">,
  prompts: Prompts,
): Promise<Where | typeof left> {
  const kind = await askKind(kernel, prompts)
  if (kind === left) return left

  const root = repositoryAround(cwd)
  if (root !== undefined && root !== cwd) {
    prompts.output.write(visible(`You are in the repository ${root}.\n`))
  }
  const offer = root === undefined ? "" : ` [${cwd}]`
  for (;;) {
    const text = await askLine(`Project folder${offer}:`, prompts)
    if (text === left) return left
    if (text === "" && root === undefined) continue

    const folder = resolve(cwd, withHome(text, env))
    // What it brings is asked about later; here it tells whether one can work in it.
    const answer = await kernel.dispatch({ type: "list", folder })
    if (answer.type === "list") return { folder, ...(kind !== undefined && { kind }) }
    prompts.output.write(visible(`${answer.failure.message}\n`))
  }
}

/** Undefined: the one that there is, or none, which is told when the conversation opens. */
async function askKind(
  kernel: Pick<Kernel, "dispatch">,
  prompts: Prompts,
): Promise<string | undefined | typeof left> {
  const { packages } = await ask(kernel, { type: "list" })
  const kinds = packages
    .filter(({ status }) => status === "ok")
    .flatMap(({ name, contributes }) =>
      contributes.flatMap(words => {
        const [, kind] = /^kind (.+)$/.exec(words) ?? []
        return kind === undefined ? [] : [{ value: kind, label: kind, hint: `of ${name}` }]
      }),
    )
    .toSorted((one, other) => Number(other.value === "project") - Number(one.value === "project"))
  return kinds.length < 2 ? undefined : choose("Where to work:", kinds, prompts)
}

/** The root of the git repository that the folder lies in. */
function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : repositoryAround(parent)
}

function withHome(text: string, env: Invocation["env"]): string {
  return text === "~" || text.startsWith("~/") ? join(env.HOME || homedir(), text.slice(1)) : text
}
