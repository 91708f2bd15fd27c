import type { ConfigValue } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { visible } from "../text/visible.ts"
import { folderIn, withKernel } from "./with-kernel.ts"

/** `harness config show`: every value and where it came from; with a folder as it counts there. */
export function showConfig(
  { json, folder }: { json?: true; folder?: string },
  invocation: Invocation,
): Promise<number> {
  return withKernel(invocation, async kernel => {
    const wanted = folderIn(invocation.cwd, folder)
    const { values, ignored } = await ask(kernel, { type: "config", ...wanted })
    const text = json ? `${JSON.stringify(values, null, 2)}\n` : tableOf(values)
    invocation.stdout.write(text)
    if (ignored !== null) invocation.stderr.write(visible(`note: ${ignored}\n`))
    return 0
  })
}

function tableOf(values: readonly ConfigValue[]): string {
  const rows = values.map(({ key, value, origin }) => [key, JSON.stringify(value), origin])
  return visible(columnsOf(rows))
}
