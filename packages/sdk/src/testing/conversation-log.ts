import { type EventBody, isFailure } from "@harness/protocol"
import { describe, expect, onTestFinished, test } from "vitest"
import type { ConversationLog } from "../stores.ts"

/** One conversation, and the ways in which its log is opened. */
export type LogUnderTest = {
  /** Opens the log, as a process that finds the conversation free does. */
  open(): Promise<ConversationLog>
  /** Opens it as one that takes it from a holder who is taken for gone, with a higher fence. */
  takeOver(): Promise<ConversationLog>
  /** Removes everything. */
  dispose(): Promise<void>
}

export type LogSuite = {
  name: string
  /** Makes the log of a new conversation; the clock stands at 2026-01-02T03:04:05.000Z. */
  create(): Promise<LogUnderTest>
}

/**
 * What every conversation log must do, as tests.
 *
 * @example
 * describeConversationLog({ name: "files", create: newConversationInATemporaryFolder })
 */
export function describeConversationLog({ name, create }: LogSuite): void {
  describe(`the conversation log in ${name}`, () => {
    async function created(): Promise<LogUnderTest> {
      const underTest = await create()
      onTestFinished(() => underTest.dispose())
      return underTest
    }

    test("numbers and dates what is appended and gives it back when read", async () => {
      const { open } = await created()
      const log = await open()
      const first = log.append([notice("one")], { sync: false })
      const others = log.append([notice("two"), notice("three")], { sync: true })
      const expected = ["one", "two", "three"].map((message, index) => ({
        seq: index + 1,
        at,
        ...notice(message),
      }))
      expect([...first, ...others]).toEqual(expected)
      expect(await log.read()).toEqual(expected)
      expect(log.head().seq).toBe(3)
      await log.close()
    })

    test("appends nothing for no events", async () => {
      const { open } = await created()
      const log = await open()
      const before = log.head()
      expect(log.append([], { sync: true })).toEqual([])
      expect(log.head()).toEqual(before)
      expect(await log.read()).toEqual([])
      await log.close()
    })

    test("goes on with the numbers and the chain when it is opened again", async () => {
      const { open } = await created()
      const first = await open()
      first.append([notice("before")], { sync: false })
      const head = first.head()
      await first.close()

      const second = await open()
      expect(second.head()).toEqual(head)
      second.append([notice("after")], { sync: false })
      expect((await second.read()).map(({ seq }) => seq)).toEqual([1, 2])
      expect(second.fence).toBeGreaterThan(first.fence)
      await second.close()
    })

    test("changes its head with every event and fills the head before it into a turn's end", async () => {
      const { open } = await created()
      const log = await open()
      const heads = [log.head().hash]
      for (const message of ["same", "same"]) {
        log.append([notice(message)], { sync: false })
        heads.push(log.head().hash)
      }
      expect(new Set(heads).size).toBe(3)

      const [ended] = log.append([turnEnded], { sync: true })
      expect(ended).toEqual({ seq: 3, at, ...turnEnded, head: heads[2] })
      expect((await log.read())[2]).toEqual(ended)
      await log.close()
    })

    test("keeps any text and any path as it was", async () => {
      const { open } = await created()
      const log = await open()
      const texts = ['"\\\n\u0000\u2028', "{root} {!home} {!!temp} /", "漢字 😀 \ufffd", ""]
      log.append(texts.map(notice), { sync: false })
      const read = await log.read()
      expect(read.map(event => event.type === "notice" && event.message)).toEqual(texts)
      await log.close()
    })

    test("refuses a second writer and names the one that it has", async () => {
      const { open } = await created()
      const log = await open()
      const refused = await open().then(() => null, failureCode)
      expect(refused).toBe("conversation_locked")
      await log.close()
      await (await open()).close()
    })

    test("refuses an append of a holder that was taken over, and writes nothing of it", async () => {
      const { open, takeOver } = await created()
      const stale = await open()
      stale.append([notice("before")], { sync: false })

      const current = await takeOver()
      expect(current.fence).toBeGreaterThan(stale.fence)
      expect(thrownBy(() => stale.append([notice("stale")], { sync: false }))).toBe(
        "conversation_locked",
      )
      current.append([notice("current")], { sync: false })
      expect(thrownBy(() => stale.append([notice("stale")], { sync: true }))).toBe(
        "conversation_locked",
      )
      expect((await current.read()).map(event => event.type === "notice" && event.message)).toEqual(
        ["before", "current"],
      )
      await stale.close()
      await current.close()
    })

    test("refuses to append once it is closed, and may be closed twice", async () => {
      const { open } = await created()
      const log = await open()
      await log.close()
      await log.close()
      expect(thrownBy(() => log.append([notice("late")], { sync: false }))).toBe("log_unwritable")
    })
  })
}

const at = "2026-01-02T03:04:05.000Z"

function notice(message: string): EventBody {
  return { type: "notice", code: "test", message }
}

const turnEnded: EventBody = {
  type: "turn_ended",
  turn: 1,
  ending: { status: "answered" },
  verification: "not_requested",
}

function thrownBy(call: () => unknown): string | null {
  try {
    call()
    return null
  } catch (error) {
    return failureCode(error)
  }
}

function failureCode(error: unknown): string {
  return isFailure(error) ? error.code : String(error)
}
