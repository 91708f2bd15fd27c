import { createContext, Script } from "node:vm"
import type { ProcessEnd, ProcessStart, ReadyOptions } from "@harness/sdk"
import { listens } from "./ports.ts"

/** Waits for what says that a process is ready. */
export interface Readiness {
  /** Output as it comes; the bytes are only lent. */
  take(bytes: Buffer): void
  wait(ended: Promise<ProcessEnd>): Promise<ProcessStart["ready"]>
}

/** How often is looked; a chatty process is not searched at each of its lines. */
const LOOK_MS = 50

/** A look at the ports goes through all processes. */
const LOOK_AT_PORTS_MS = 150

/** What of the output is searched: the end, from the beginning of a line. */
const SEARCHED_CHARACTERS = 65_536

/** A pattern that is not through by then would hold up the whole worker. */
const PATTERN_MS = 100

export type ReadinessOptions = { tag: string; platform: NodeJS.Platform }

/** Made before the process starts, so that nothing of its output is missed. */
export async function readiness(
  wanted: ReadyOptions | undefined,
  options: ReadinessOptions,
): Promise<Readiness> {
  if (wanted === undefined) return { take: () => undefined, wait: async () => "not_asked" }

  const { ready, readySeconds } = wanted
  if (typeof ready === "string") return pollOutput(ready, readySeconds)
  const look = async () => ((await listens(ready, options)) ? "ready" : "waiting")
  return { take: () => undefined, wait: ended => poll(look, LOOK_AT_PORTS_MS, readySeconds, ended) }
}

type Look = "ready" | "invalid" | "waiting"

function pollOutput(pattern: string, readySeconds: number): Readiness {
  const search = searchFor(pattern)
  const decoder = new TextDecoder()
  let fresh = false
  let text = ""

  const look = async (): Promise<Look> => {
    if (search === undefined) return "invalid"
    if (!fresh) return "waiting"

    fresh = false
    const found = search(text)
    // What was searched in vain is not searched again, but for a line that is not whole.
    text = text.slice(text.lastIndexOf("\n") + 1)
    return found
  }
  return {
    take(bytes) {
      text = (text + decoder.decode(bytes, { stream: true })).slice(-SEARCHED_CHARACTERS)
      fresh = true
    },
    wait: ended => poll(look, LOOK_MS, readySeconds, ended),
  }
}

/** Looks at once, then again and again; the last look is after the process's end. */
async function poll(
  look: () => Promise<Look>,
  everyMs: number,
  seconds: number,
  ended: Promise<ProcessEnd>,
): Promise<ProcessStart["ready"]> {
  const until = performance.now() + seconds * 1_000
  let over = false
  const end = ended.then(() => {
    over = true
  })

  for (;;) {
    const isLast = over
    const found = await look()
    if (found !== "waiting") return found
    if (isLast) return "ended"
    if (performance.now() >= until) return "late"

    let timer: NodeJS.Timeout | undefined
    const pause = new Promise<void>(resolve => {
      timer = setTimeout(resolve, everyMs)
    })
    await Promise.race([pause, end])
    clearTimeout(timer)
  }
}

/** The model wrote the pattern: it runs where it can be stopped. Undefined when it is none. */
function searchFor(pattern: string): ((text: string) => Look) | undefined {
  let expression: RegExp
  try {
    expression = new RegExp(pattern, "mu")
  } catch {
    return undefined
  }
  const script = new Script("expression.test(text)")
  return text => {
    try {
      const context = createContext({ expression, text })
      return script.runInContext(context, { timeout: PATTERN_MS }) === true ? "ready" : "waiting"
    } catch {
      return "invalid"
    }
  }
}
