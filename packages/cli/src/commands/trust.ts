import { resolve } from "node:path"
import type { Kernel } from "@harness/kernel"
import { failure, type PackageState, type ProjectInspection } from "@harness/protocol"
import { ask } from "../ask.ts"
import { confirm } from "../confirm.ts"
import { watchInterruption } from "../interruption.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { visible } from "../text/visible.ts"
import { oneLine } from "../text/width.ts"
import { withKernel } from "./with-kernel.ts"

type TrustOptions = { remove?: true; yes?: true }

/**
 * `harness trust`: shows what the `.harness/` of a folder brings and, after a yes, lets it count.
 * Without a terminal the yes is `--yes`, else the command ends at once with `trust_required`.
 */
export function trust(
  folder: string | undefined,
  options: TrustOptions,
  invocation: Invocation,
): Promise<number> {
  const wanted = resolve(invocation.cwd, folder ?? ".")
  return withKernel(invocation, kernel =>
    options.remove
      ? withdraw(kernel, wanted, invocation)
      : grant(kernel, wanted, options, invocation),
  )
}

/**
 * Asks the person at the terminal about a folder that brings something and is not trusted, before
 * the run begins. A no leaves it ignored in this run, and the next one asks again.
 */
export async function offerTrust(
  kernel: Pick<Kernel, "dispatch">,
  folder: string,
  { stdin, stderr, signal }: Pick<Invocation, "stdin" | "stderr"> & { signal: AbortSignal },
): Promise<void> {
  const { project } = await ask(kernel, { type: "project", folder })
  if (project.status !== "untrusted" && project.status !== "changed") return

  stderr.write(visible(described(project)))
  const yes = await confirm({ question, stdin, stderr, signal })
  if (yes) await remember(kernel, project)
}

async function grant(
  kernel: Kernel,
  folder: string,
  options: TrustOptions,
  invocation: Invocation,
): Promise<number> {
  const { stdout } = invocation
  const { project } = await ask(kernel, { type: "project", folder })
  switch (project.status) {
    case "none":
      stdout.write(visible(`${project.folder} has nothing in .harness/ that could count\n`))
      return 0
    case "unusable":
      throw failure("project_unusable", { folder: project.folder, reason: project.reason ?? "" })
    case "trusted":
      stdout.write(visible(`${described(project)}trusted already: ${project.folder}\n`))
      return 0
  }

  stdout.write(visible(described(project)))
  const agreed = options.yes ?? (await consent(project, invocation))
  if (agreed !== true) return agreed

  await remember(kernel, project)
  stdout.write(visible(`trusted ${project.folder}\n`))
  return 0
}

async function withdraw(kernel: Kernel, wanted: string, { stdout }: Invocation): Promise<number> {
  const { folder, changed } = await ask(kernel, { type: "withdraw", folder: wanted })
  const said = changed ? `no longer trusted: ${folder}` : `${folder} was not trusted`
  stdout.write(visible(`${said}\n`))
  return 0
}

async function remember(
  kernel: Pick<Kernel, "dispatch">,
  { folder, content }: ProjectInspection,
): Promise<void> {
  if (content !== null) await ask(kernel, { type: "trust", folder, content })
}

const question = "Trust it?"

/** True, or the exit code of a command that was not agreed to. */
async function consent(project: ProjectInspection, invocation: Invocation): Promise<true | number> {
  const { stdin, stderr } = invocation
  if (!stdin.isTTY || !stderr.isTTY) throw failure("trust_required", { folder: project.folder })

  const interruption = watchInterruption(invocation)
  try {
    const signal = interruption.first
    if (await confirm({ question, stdin, stderr, signal })) return true
    stderr.write(`${signal.aborted ? "\n" : ""}not trusted\n`)
    return interruption.exit() ?? 1
  } finally {
    interruption.stop()
  }
}

/** All that the folder brings, each with where it stands. */
function described({ folder, status, config, packages }: ProjectInspection): string {
  const since = status === "changed" ? " (changed since it was trusted)" : ""
  const rows = [
    ...config.map(({ key, value, origin }) => [key, JSON.stringify(value), origin]),
    ...packages.map(each => [`${each.name} ${each.version}`, inWords(each), placeOf(each)]),
  ]
  const table = columnsOf(rows.map(row => row.map(oneLine)))
    .replaceAll(/^/gm, "  ")
    .trimEnd()
  const code = packages.some(each => each.status === "ok") ? `  ${codeRuns}\n` : ""
  return `.harness/ of ${oneLine(folder)}${since}\n${table}\n${code}`
}

const codeRuns = "Its packages are code: it runs as you, outside the sandbox."

function inWords({ status, reason, contributes, capabilities }: PackageState): string {
  if (status === "broken") return `broken, will not be loaded: ${reason ?? "for no known reason"}`
  return `brings ${contributes.join(", ") || "nothing"}; may use ${capabilities.join(", ") || "nothing"}`
}

/** The package's folder below the project's, as `.harness/packages/notes`. */
function placeOf({ source }: PackageState): string {
  return "path" in source
    ? source.path.replace(/^.*(?=\.harness[\\/]packages[\\/][^\\/]+$)/, "")
    : ""
}
