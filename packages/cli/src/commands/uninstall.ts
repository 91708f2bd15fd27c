import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

/** `harness uninstall`: removes a package; one that is not installed is a wrong call. */
export function uninstall(name: string, invocation: Invocation): Promise<number> {
  return withKernel(invocation, async kernel => {
    const { package: removed } = await ask(kernel, { type: "uninstall", name })
    invocation.stdout.write(visible(`uninstalled ${removed.name} ${removed.version}\n`))
    return 0
  })
}
