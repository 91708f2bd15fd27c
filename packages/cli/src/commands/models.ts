import type { ListedModel, UnlistedProvider } from "@harness/protocol"
import { ask } from "../ask.ts"
import type { Invocation } from "../invocation.ts"
import { modelLines } from "../text/models.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

/**
 * `harness models`: what the installed providers know of their models, with what the configuration
 * says. A provider that cannot say is named with the reason, and takes nothing from the others.
 */
export function models(
  provider: string | undefined,
  { json }: { json?: true },
  invocation: Invocation,
): Promise<number> {
  const { stdout, stderr } = invocation
  return withKernel(invocation, async kernel => {
    const wanted = provider === undefined ? {} : { provider }
    const { models, unknown } = await ask(kernel, { type: "models", ...wanted })

    const text = json ? `${JSON.stringify(models, null, 2)}\n` : tableOf(models, stdout.columns)
    stdout.write(text)
    for (const note of unknown) stderr.write(noteOf(note))
    return 0
  })
}

function tableOf(models: readonly ListedModel[], columns: number | undefined): string {
  if (models.length === 0) return "No models are known.\n"
  return visible(`${modelLines(models, columns)}\n${footnotes(models)}`)
}

function footnotes(models: readonly ListedModel[]): string {
  const dates = models.flatMap(({ generated_at }) => generated_at ?? []).sort()
  const [oldest] = dates
  const made = oldest === undefined ? "" : ` The catalogue was made on ${oldest}.`
  const chosen = models.some(model => model.default) ? " * is what a run uses." : ""
  return `Prices are USD per million tokens.${made}${chosen}\n`
}

function noteOf({ provider, reason }: UnlistedProvider): string {
  return visible(`note: ${provider}: ${reason}\n`)
}
