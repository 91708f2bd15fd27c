import type { ConfigValue } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { columnsOf } from "../text/columns.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

/** `harness config show`: every value and where it came from. */
export function showConfig(options: { json?: true }, invocation: Invocation): Promise<number> {
  return withKernel(invocation, async kernel => {
    const { values } = await ask(kernel, { type: "config" })
    const text = options.json ? `${JSON.stringify(values, null, 2)}\n` : tableOf(values)
    invocation.stdout.write(text)
    return 0
  })
}

function tableOf(values: readonly ConfigValue[]): string {
  const rows = values.map(({ key, value, origin }) => [key, JSON.stringify(value), origin])
  return visible(columnsOf(rows))
}
