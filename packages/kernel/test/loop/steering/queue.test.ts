import * as fc from "fast-check"
import { expect, test } from "vitest"
import { messagesOf } from "../../../src/conversation/messages.ts"
import { stepInterruption } from "../../../src/loop/steering/interruption.ts"
import { messageQueue } from "../../../src/loop/steering/queue.ts"
import { textMessage } from "../../../src/loop/steering/texts.ts"
import { answers, converse, says } from "../compaction/support/conversation.ts"

const message = (text: string) => async () => textMessage([text])

test("a message whose images are still read keeps its place before those that came after it", async () => {
  const queue = messageQueue()
  queue.open()
  const images = Promise.withResolvers<void>()
  const slow = queue.add("first", async () => {
    await images.promise
    return textMessage(["first"])
  })
  const quick = queue.add("second", message("second"))
  const delivered: unknown[] = []
  const delivery = queue.deliver(messages => delivered.push(...messages))
  images.resolve()
  await Promise.all([slow, quick, delivery])

  expect(delivered).toEqual([textMessage(["first"]), textMessage(["second"])])
  expect(await queue.takeBack()).toEqual([])
})

test("a message that cannot be made is refused, and the others wait on", async () => {
  const queue = messageQueue()
  queue.open()
  const refused = queue.add("bad", () => Promise.reject(new Error("no image")))
  const taken = queue.add("good", message("good"))

  await expect(refused).rejects.toThrow("no image")
  await taken
  expect(await queue.takeBack()).toEqual(["good"])
})

test("what cannot be put on record stays queued", async () => {
  const queue = messageQueue()
  queue.open()
  await queue.add("kept", message("kept"))
  const full = () => {
    throw new Error("the disk is full")
  }

  await expect(queue.deliver(full)).rejects.toThrow("the disk is full")
  expect(await queue.takeBack()).toEqual(["kept"])
})

/** What the user does while the model is asked for its nth reply. */
const Doing = fc.record({
  says: fc.integer({ min: 0, max: 2 }),
  interrupts: fc.constantFrom("nothing", "nothing", "step", "turn"),
  answers: fc.boolean(),
})

test("whatever the user says and breaks off, each message is in the log once, in order, and the log says what the model was asked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Doing, { minLength: 1, maxLength: 8 }), async script => {
      let [asked, said] = [0, 0]
      const turn = { stop: new AbortController() }
      const conversation = await converse({
        windowTokens: 1_000_000,
        step(n) {
          const doing = script[n]
          asked = n + 1
          for (let each = 0; each < (doing?.says ?? 0); each += 1) {
            const text = `said ${++said}`
            void conversation.queue.add(text, message(text))
          }
          if (doing?.interrupts === "step") conversation.step.stop?.abort(stepInterruption)
          if (doing?.interrupts === "turn") turn.stop.abort("Esc")
          return doing === undefined || doing.answers ? answers(`answer ${n}`) : says(n, `${n}`)
        },
      })
      const sent: string[] = []
      while (asked < script.length) {
        turn.stop = new AbortController()
        const text = `said ${++said}`
        sent.push(text)
        await conversation.send(text, turn.stop.signal)
      }
      const left = await conversation.queue.takeBack()

      const logged = messagesOf(await conversation.log())
      expect(logged).toEqual(conversation.messages)
      const texts = logged.flatMap(({ role, content }) =>
        role === "user" ? content.map(part => (part.type === "text" ? part.text : "")) : [],
      )
      const own = texts.filter(text => text.startsWith("said "))
      const all = Array.from({ length: said }, (_, at) => `said ${at + 1}`)
      expect([...own, ...left]).toEqual(all)
      await conversation.release()
    }),
    { numRuns: 40 },
  )
})
