import { failure, type UserMessage } from "@harness/protocol"

/** Puts messages on record. */
export type Take = (messages: readonly UserMessage[]) => void

/**
 * What the user says while a turn runs. Each message is delivered once, in the order in which they
 * came, or given back; what a turn that was broken off did not take stays for the next one.
 */
export interface MessageQueue {
  /** A turn begins: from here on messages are taken, until `close`. */
  open(): void
  /** The turn takes no more: what comes now is to be sent. */
  close(): void
  /**
   * Adds a message; it keeps its place while it is made. Rejects with what making it throws: then it is
   * not queued. Throws `command_invalid` when no turn takes it.
   */
  add(text: string, make: () => Promise<UserMessage>): Promise<void>
  /** Whether something waits, also what is being made. */
  waits(): Promise<boolean>
  /** Hands over all that waits. What `take` throws on stays queued. */
  deliver(take: Take): Promise<void>
  /** Hands over what waited already when the turn began. */
  deliverLeft(take: Take): Promise<void>
  /** Takes back all that waits: its texts. */
  takeBack(): Promise<string[]>
}

type Queued = { text: string; message: UserMessage | null; settled: Promise<unknown> }

export function messageQueue(): MessageQueue {
  const queued: Queued[] = []
  let isOpen = false
  /** How many of them were left by an earlier turn. */
  let left = 0

  function removeFirst(count: number): void {
    queued.splice(0, count)
    left = Math.max(0, left - count)
  }

  function remove(entry: Queued): void {
    const at = queued.indexOf(entry)
    if (at < 0) return
    queued.splice(at, 1)
    if (at < left) left -= 1
  }

  /** A message is on its way while its images are read. */
  async function made(): Promise<void> {
    while (queued.some(({ message }) => message === null)) {
      await Promise.all(queued.map(({ settled }) => settled))
    }
  }

  function handOver(take: Take, count: number): void {
    take(queued.slice(0, count).flatMap(({ message }) => message ?? []))
    removeFirst(count)
  }

  return {
    open() {
      isOpen = true
      left = queued.length
    },
    close() {
      isOpen = false
    },
    async add(text, make) {
      if (!isOpen) {
        const reason = "no turn runs that could take it: send the message"
        throw failure("command_invalid", { command: "queue", reason })
      }
      const making = make()
      const entry: Queued = { text, message: null, settled: making.catch(() => {}) }
      queued.push(entry)
      try {
        entry.message = await making
      } catch (error) {
        remove(entry)
        throw error
      }
    },
    async waits() {
      await made()
      return queued.length > 0
    },
    async deliver(take) {
      await made()
      handOver(take, queued.length)
    },
    async deliverLeft(take) {
      await made()
      handOver(take, left)
    },
    async takeBack() {
      await made()
      const texts = queued.map(({ text }) => text)
      removeFirst(queued.length)
      return texts
    },
  }
}
