// A limit of money through the command: never crossed, told with the command that goes on.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { startCli } from "../support/run-cli.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { startBill } from "../support/wire/bill.ts"
import type { WireReply } from "../support/wire/dialect.ts"
import { openaiChat } from "../support/wire/openai-chat.ts"
import { startWireServer, type WireScript } from "../support/wire/server.ts"
import { compiled, type Homes, prepareHomes, root } from "./support/homes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const model = "openai-compatible/scripted-1"
const price = { input: 0.3, output: 1.2 }
const read = { id: "c1", tool: "read", arguments: { path: "a.txt" } }
const busy = { status: 429, message: "Slow down.", headers: { "retry-after-ms": "1" } }

/** The command, as often as it is called, in one home and one project with one server. */
async function prepare(script: WireScript, { priced = true } = {}) {
  const home = await homes.fresh()
  const models = { [model]: { price, output_tokens: 400 } }
  await home.write({ "config.jsonc": JSON.stringify(priced ? { models } : {}) })
  const project = await temporaryFolder({ "a.txt": "one\n" })
  const server = await startWireServer({ dialect: openaiChat, script })
  onTestFinished(async () => {
    await server.close()
    await project.remove()
  })

  const start = (words: readonly string[], env: Record<string, string> = {}) =>
    startCli(["run", ...words], {
      cwd: root,
      env: {
        HARNESS_HOME: home.path,
        NODE_COMPILE_CACHE: compiled,
        HARNESS_MODEL: model,
        HARNESS_STYLE: "tools",
        HARNESS_SANDBOX: "off",
        OPENAI_BASE_URL: server.baseUrl,
        ...env,
      },
    })
  const run = (...given: Parameters<typeof start>) => start(...given).ended
  return { start, run, project, server }
}

test("HARNESS_MAX_COST=0.01 is never crossed on the server's bill, and the message's command goes on", async () => {
  const bill = startBill(price)
  let isOver = false
  const replies: readonly WireReply[] = [{ calls: [read] }, busy, { calls: [read] }, { drop: true }]
  const { run, project, server } = await prepare((request, n) =>
    bill.reply(request, isOver ? { text: "It says one." } : (replies[n % replies.length] ?? busy)),
  )

  const limited = await run(["Read it.", "--folder", project.path], { HARNESS_MAX_COST: "0.01" })

  expect(limited.exitCode).toBe(3)
  expect(bill.usd).toBeLessThanOrEqual(0.01)
  expect(bill.usd).toBeGreaterThan(0.004)
  const [, command = ""] =
    /^limit reached \(cost\): The cost limit of 0\.01 USD is reached: the next request can cost 0\.\d+ USD\. Spent: \d+ steps, [\d,]+ tokens, 0\.00\d+ USD, and at most 0\.00\d+ USD for requests whose cost nobody told\. To go on: (.+)\n$/.exec(
      limited.stderr,
    ) ?? []
  const [, id, suggested] =
    /^harness run --resume ([0-9a-f]+) "go on" --max-cost (0\.\d+)$/.exec(command) ?? []

  isOver = true
  const before = server.requests.length
  const resumed = await run(["--resume", `${id}`, "go on", "--max-cost", `${suggested}`, "-p"])
  expect(resumed).toMatchObject({ exitCode: 0, stdout: "It says one.\n" })
  expect(server.requests.length).toBe(before + 1)
  // What the vendor has kept of the conversation is found again.
  const [last = "", next = ""] = server.requests.slice(-2).map(({ text }) => upToLast(text))
  expect(next.slice(0, last.length)).toBe(last)
})

test("a request in flight when the program was killed counts after a resume: its reply is on the bill", async () => {
  const bill = startBill(price)
  let isResumed = false
  const hang: WireReply = { text: "I think.", fault: { afterFrames: 1, type: "hang" } }
  const { start, run, project, server } = await prepare((request, n) =>
    bill.reply(request, n === 2 && !isResumed ? hang : { calls: [read] }),
  )
  const limit = { HARNESS_MAX_COST: "0.005" }

  const killed = start(["Read it.", "--json", "--folder", project.path], limit)
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(3)
  killed.kill("SIGKILL")
  await killed.ended
  isResumed = true
  const billedUsd = bill.usd
  const words = ["--resume", "last", "go on", "--folder", project.path]
  const resumed = await run(words, limit)

  expect(resumed.exitCode).toBe(3)
  expect(bill.usd).toBeGreaterThan(billedUsd)
  expect(bill.usd).toBeLessThanOrEqual(0.005)
})

/** A request up to the end of its last message. */
function upToLast(text: string): string {
  return text.slice(0, text.lastIndexOf('],"tools":'))
}

test("a cost that nobody knows is told as unknown, never as 0", async () => {
  const { run, project } = await prepare([{ calls: [read] }, { text: "One." }], { priced: false })

  const { exitCode, stdout } = await run(["Read it.", "--folder", project.path])

  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^all .* unknown .*$/m)
  expect(stdout).not.toMatch(/\$0\.0/)
})

test("a turn ends at its time, with the request that was in flight, and says so", async () => {
  const hang: WireReply = { text: "I think.", fault: { afterFrames: 1, type: "hang" } }
  const { run, project } = await prepare([hang])

  const ended = await run(["Think.", "--folder", project.path, "--max-wall-seconds", "0.5"])

  expect({ exitCode: ended.exitCode, stderr: ended.stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringMatching(
      /^limit reached \(wall\): The limit of 0\.5 s a turn is reached: \d s have passed\. Spent: 1 step, .* To go on: harness run --resume [0-9a-f]+ "go on" --max-wall-seconds 0\.5\n$/,
    ),
  })
})
