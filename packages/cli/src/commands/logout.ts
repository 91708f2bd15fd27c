import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

/** `harness logout`: removes a stored key from where it is. */
export function logout(provider: string, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation
  return withKernel(invocation, async kernel => {
    const answer = await ask(kernel, { type: "logout", provider })
    const { removed_from: place, overridden_by: variable } = answer
    const said = place === null ? "no key was stored" : `the key is gone from the ${place}`
    stdout.write(visible(`${provider}: ${said}\n`))
    if (variable !== null) stderr.write(visible(`note: ${variable} is still set\n`))
    return 0
  })
}
