import { resolve } from "node:path"
import { failure, type PackageInspection } from "@harness/protocol"
import { ask } from "../ask.ts"
import { confirm } from "../confirm.ts"
import { watchInterruption } from "../interruption.ts"
import type { Invocation } from "../invocation.ts"
import { visible } from "../text/visible.ts"
import { contributionsOf, sourceInWords } from "./packages.ts"
import { withKernel } from "./with-kernel.ts"

/**
 * `harness install`: looks at the package, shows what it brings and may do, gets consent, installs.
 * Without a terminal consent is `--yes`, else the command ends at once with `consent_required`.
 */
export function install(
  spec: string,
  options: { link?: true; yes?: true },
  invocation: Invocation,
): Promise<number> {
  const { stdout } = invocation
  const wanted = { spec: located(spec, invocation.cwd), link: options.link ?? false }

  return withKernel(invocation, async kernel => {
    const { inspection } = await ask(kernel, { type: "inspect", ...wanted })
    const { name, version, manifest } = inspection
    if (inspection.installed) {
      stdout.write(visible(`${name} ${version} is installed already\n`))
      return 0
    }

    stdout.write(visible(described(inspection)))
    const agreed = options.yes ?? (await consent(name, invocation))
    if (agreed !== true) return agreed

    const { capabilities } = manifest
    const installed = await ask(kernel, {
      type: "install",
      ...wanted,
      consent: { name, version, capabilities },
    })
    const { name: as } = installed.package
    stdout.write(
      visible(`${installed.changed ? "installed" : "installed already:"} ${as} ${version}\n`),
    )
    return 0
  })
}

/** A place on this machine is resolved here: the kernel need not run in this folder. */
function located(spec: string, cwd: string): string {
  const isPath = /^(\.{1,2}$|\.{0,2}\/)/.test(spec) || /^[^:]+\.(tgz|tar\.gz)$/.test(spec)
  return isPath ? resolve(cwd, spec) : spec
}

function described(inspection: PackageInspection): string {
  const { name, version, source, manifest } = inspection
  const { capabilities } = manifest
  return [
    `${name} ${version}`,
    `  from         ${sourceInWords(source)}`,
    `  contributes  ${contributionsOf(manifest).join(", ") || "nothing"}`,
    `  may use      ${capabilities.join(", ") || "nothing"}`,
    "",
  ].join("\n")
}

/** True, or the exit code of a command that was not agreed to. */
async function consent(name: string, invocation: Invocation): Promise<true | number> {
  const { stdin, stderr } = invocation
  if (!stdin.isTTY || !stderr.isTTY) throw failure("consent_required", { name })

  const interruption = watchInterruption(invocation)
  try {
    const question = `Install ${name}?`
    const yes = await confirm({ question, stdin, stderr, signal: interruption.first })
    if (yes) return true
    stderr.write(`${interruption.first.aborted ? "\n" : ""}not installed\n`)
    return interruption.exit() ?? 1
  } finally {
    interruption.stop()
  }
}
