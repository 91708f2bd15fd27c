import type { Kernel } from "@harness/kernel"
import { failure } from "@harness/protocol"
import { ask } from "../ask.ts"
import { signalExit } from "../exit-codes.ts"
import { watchInterruption } from "../interruption.ts"
import type { Invocation } from "../invocation.ts"
import { readKey } from "../key-input.ts"
import { visible } from "../text/visible.ts"
import { withKernel } from "./with-kernel.ts"

type LoginOptions = { file?: true; tooMany: boolean }

/** `harness login`: stores a provider's key, typed at a hidden prompt or piped in. */
export function login(
  provider: string,
  options: LoginOptions,
  invocation: Invocation,
): Promise<number> {
  if (options.tooMany) {
    const reason = "the provider's name is the only argument (a key is none: others could read it)"
    throw failure("key_refused", { provider, reason, hint: hintFor(provider) })
  }

  return withKernel(invocation, async kernel => {
    const input = (await wantsKey(provider, kernel)) ? await keyOf(provider, invocation) : ""
    if (typeof input === "number") return input

    const file = options.file ?? false
    const answer = await ask(kernel, { type: "login", provider, key: input, file })
    report(answer, invocation)
    return 0
  })
}

/** False for a provider that will be refused: nobody has to type a key first. */
async function wantsKey(provider: string, kernel: Pick<Kernel, "dispatch">): Promise<boolean> {
  const { keys } = await ask(kernel, { type: "keys" })
  const found = keys.find(key => key.provider === provider)
  return found !== undefined && found.from !== "unneeded" && found.from !== "unknown"
}

const waitMs = 60_000

/** The key, or the exit code of a command that was interrupted. */
async function keyOf(provider: string, invocation: Invocation): Promise<string | number> {
  const { stdin, stderr } = invocation
  const interruption = watchInterruption(invocation)
  try {
    const { first: signal } = interruption
    const input = await readKey({ provider, stdin, stderr, signal, waitMs })
    if (input.status === "interrupted") return interruption.exit() ?? signalExit.SIGINT

    const hint = hintFor(provider)
    if (input.status === "silent") {
      const reason = `nothing came on standard input within ${waitMs / 1_000} s`
      throw failure("key_refused", { provider, reason, hint })
    }
    if (input.text.trim() === "" && !stdin.isTTY) {
      throw failure("key_refused", { provider, reason: "standard input is empty", hint })
    }
    return input.text
  } finally {
    interruption.stop()
  }
}

function hintFor(provider: string): string {
  return `Type it at the prompt of harness login ${provider}, or pipe it in: echo "$KEY" | harness login ${provider}.`
}

type Report = {
  provider: string
  file: string | null
  keychain_reason: string | null
  overridden_by: string | null
}

function report(answer: Report, { stdout, stderr }: Invocation): void {
  const { provider, file, keychain_reason: reason, overridden_by: variable } = answer
  const place = file === null ? "in the keychain" : `in ${file}, for you alone`
  stdout.write(visible(`${provider}: the key is ${place}\n`))
  if (reason !== null) stderr.write(visible(`note: the keychain could not take it: ${reason}\n`))
  if (variable !== null) stderr.write(visible(`note: ${variable} is set and goes before it\n`))
}
