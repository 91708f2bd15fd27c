import { failure, type UserMessage } from "@harness/protocol"

/**
 * What the user says while a turn runs. Each message is delivered once, in the order in which they
 * came, or given back; what a turn that was broken off did not take stays for the next one.
 */
export interface MessageQueue {
  readonly isClosed: boolean
  /** From here on messages are taken, until `close`. */
  open(): void
  /** The turn takes no more: what comes now is to be sent. */
  close(): void
  /**
   * Adds a message once it is made, after those that came before it. Rejects with what making it
   * throws; then nothing is queued. Throws `command_invalid` when no turn takes it.
   */
  add(text: string, make: () => Promise<UserMessage>): Promise<void>
  /** Whether something waits, also what is being made. */
  waits(): Promise<boolean>
  /** Hands over all that waits. What `take` throws on stays queued. */
  deliver(take: (messages: readonly UserMessage[]) => void): Promise<void>
  /** Takes back all that waits: its texts. */
  takeBack(): Promise<string[]>
}

export function messageQueue(): MessageQueue {
  const queued: { text: string; message: UserMessage }[] = []
  let isOpen = false
  let making: Promise<unknown> = Promise.resolve()

  /** A message is on its way while its images are read: it keeps its place. */
  async function made(): Promise<void> {
    for (let last: unknown; last !== making; ) {
      last = making
      await making
    }
  }

  return {
    get isClosed() {
      return !isOpen
    },
    open() {
      isOpen = true
    },
    close() {
      isOpen = false
    },
    async add(text, make) {
      if (!isOpen) {
        const reason = "no turn runs that could take it: send the message"
        throw failure("command_invalid", { command: "queue", reason })
      }
      const added = making.then(make).then(message => {
        queued.push({ text, message })
      })
      making = added.catch(() => {})
      await added
    },
    async waits() {
      await made()
      return queued.length > 0
    },
    async deliver(take) {
      await made()
      take(queued.map(({ message }) => message))
      queued.length = 0
    },
    async takeBack() {
      await made()
      return queued.splice(0).map(({ text }) => text)
    },
  }
}
