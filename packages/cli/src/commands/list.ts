import type { PackageState } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { visible } from "../text/visible.ts"
import { sourceInWords } from "./packages.ts"
import { folderIn, withKernel } from "./with-kernel.ts"

/**
 * `harness list`: every package with its state; a broken one is named with the reason. With a folder
 * also those that the project brings.
 */
export function list(
  { json, folder }: { json?: true; folder?: string },
  invocation: Invocation,
): Promise<number> {
  return withKernel(invocation, async kernel => {
    const wanted = folderIn(invocation.cwd, folder)
    const { packages, ignored } = await ask(kernel, { type: "list", ...wanted })
    const text = json ? `${JSON.stringify(packages, null, 2)}\n` : tableOf(packages)
    invocation.stdout.write(text)
    if (ignored !== null) invocation.stderr.write(visible(`note: ${ignored}\n`))
    return 0
  })
}

function tableOf(packages: readonly PackageState[]): string {
  const rows = packages.map(({ name, version, status, reason, contributes, source }) => [
    name,
    version,
    contributes.join(", "),
    status === "ok" ? sourceInWords(source) : `broken: ${reason ?? "for no known reason"}`,
  ])
  return visible(columnsOf(rows))
}
