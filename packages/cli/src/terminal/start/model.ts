import type { Kernel } from "@harness/kernel"
import { HarnessFailure, type ListedModel, type ProviderKey } from "@harness/protocol"
import { ask } from "../../ask.ts"
import { confirm } from "../../confirm.ts"
import { readKey } from "../../key-input.ts"
import { tokens } from "../../text/format.ts"
import { visible } from "../../text/visible.ts"
import { askLine, type Choice, choose, left, type Prompts } from "./prompts.ts"

type Asking = { kernel: Pick<Kernel, "dispatch">; folder: string; prompts: Prompts }

/**
 * The model, asked for where no option, variable or file names one, and the first time its provider's
 * key. Undefined: one is named already. One that was picked can be kept as the default.
 */
export async function askModel(
  named: string | undefined,
  asking: Asking,
): Promise<string | undefined | typeof left> {
  const { kernel, folder } = asking
  const { config } = await ask(kernel, { type: "config", folder })
  const known = named ?? config.model
  const { keys } = await ask(kernel, { type: "keys" })
  const model = known ?? (await pickModel(keys, asking))
  if (model === left) return left

  if (!(await giveKey(model, keys, asking))) return left
  if (known !== undefined) return named
  return (await offerToRemember(model, asking)) ? model : left
}

/** False when the person left. */
async function offerToRemember(model: string, { kernel, prompts }: Asking): Promise<boolean> {
  const { stdin, output: stderr, signal } = prompts
  const question = `Use ${visible(model)} from now on where no other is named?`
  const yes = await confirm({ question, stdin, stderr, signal })
  if (yes) await ask(kernel, { type: "remember", model })
  return !signal.aborted
}

/** Models of providers whose key is there go first. */
async function pickModel(
  keys: readonly ProviderKey[],
  { kernel, prompts }: Asking,
): Promise<string | typeof left> {
  const { models } = await ask(kernel, { type: "models" })
  const usable = new Set(keys.filter(({ from }) => from !== "none").map(key => key.provider))
  const choices = models
    .map(choiceOf)
    .toSorted((one, other) => rankOf(other.value, usable) - rankOf(one.value, usable))

  const typed = (text: string) => (/^[^/\s]+\/\S+$/.test(text) ? text : undefined)
  if (choices.length > 0) {
    return choose("Model, its number or letters of its name:", choices, prompts, typed)
  }
  for (;;) {
    const text = await askLine("Model (provider/model):", prompts)
    if (text === left) return left
    const model = typed(text)
    if (model !== undefined) return model
  }
}

function rankOf(model: string, usable: ReadonlySet<string>): number {
  return usable.has(providerOf(model) ?? "") ? 1 : 0
}

function choiceOf({ id, context_tokens, price }: ListedModel): Choice<string> {
  const costs =
    price === null ? "price unknown" : `$ ${price.input} in, ${price.output} out per million`
  return { value: id, label: id, hint: `window ${tokens(context_tokens)} · ${costs}` }
}

function providerOf(model: string): string | undefined {
  const slash = model.indexOf("/")
  return slash > 0 ? model.slice(0, slash) : undefined
}

/** False when the person left. A key that is refused is asked for again. */
async function giveKey(
  model: string,
  keys: readonly ProviderKey[],
  { kernel, prompts }: Asking,
): Promise<boolean> {
  const found = keys.find(({ provider }) => provider === providerOf(model))
  if (found === undefined || found.from !== "none") return true

  const { stdin, output: stderr, signal } = prompts
  const { provider } = found
  for (;;) {
    const input = await readKey({ provider, stdin, stderr, signal, waitMs: pipeMs })
    if (input.status !== "read" || input.text === "") return false
    const answer = await kernel.dispatch({ type: "login", provider, key: input.text })
    if (answer.type === "login") {
      const place = answer.file === null ? "in the keychain" : `in ${answer.file}, for you alone`
      stderr.write(visible(`${provider}: the key is ${place}\n`))
      return true
    }
    if (answer.failure.code !== "key_refused") throw new HarnessFailure(answer.failure)
    stderr.write(visible(`${answer.failure.message}\n`))
  }
}

/** How long a pipe is waited for; a person is not hurried. */
const pipeMs = 60_000
