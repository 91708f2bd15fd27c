/** Text on its way to people: joined, so that a chatty command does not cost a message a line. */
export interface LiveText {
  /** The bytes are copied. */
  bytes(bytes: Uint8Array): void
  text(text: string): void
  /** What is left, for whoever sends the end anyway; it is not sent here then. */
  rest(): string
}

/** What one message carries, and how long the first character waits for others. */
const JOIN_BYTES = 8_192
const JOIN_MS = 50

/** Messages that may be under way at once; what comes meanwhile is only in the kept output. */
const MOST_UNDER_WAY = 16

/** Nobody reads faster: a flood must not fill the memory of everyone that it passes through. */
const MOST_EACH_SECOND = 262_144

/** `send` calls back when the message has left. */
export function liveText(send: (text: string, sent: () => void) => void): LiveText {
  const decoder = new TextDecoder()
  let waiting = ""
  let skipped = 0
  let underWay = 0
  let second = { startedAtMs: Number.NEGATIVE_INFINITY, characters: 0 }
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    const text = rest()
    if (text === "") return
    underWay += 1
    send(text, () => {
      underWay -= 1
    })
  }
  const rest = () => {
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ""
    if (text === "") return ""
    if (underWay >= MOST_UNDER_WAY || !canBeRead(text)) {
      skipped += text.length
      return ""
    }
    const told = skipped > 0 ? `[${skipped} characters are not shown here]\n${text}` : text
    skipped = 0
    return told
  }
  const canBeRead = (text: string) => {
    const now = performance.now()
    if (now - second.startedAtMs >= 1_000) second = { startedAtMs: now, characters: 0 }
    second.characters += text.length
    return second.characters <= MOST_EACH_SECOND
  }
  const add = (text: string) => {
    waiting += text
    if (waiting.length >= JOIN_BYTES) flush()
    else if (waiting !== "") timer ??= setTimeout(flush, JOIN_MS)
  }

  return {
    bytes: bytes => add(decoder.decode(bytes, { stream: true })),
    text: add,
    rest,
  }
}
