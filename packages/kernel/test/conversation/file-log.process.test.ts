import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { toFailure } from "@harness/protocol"
import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"
import { openLog } from "./support/open-log.ts"

const appender = fileURLToPath(new URL("./support/appender.ts", import.meta.url))
const node = [process.execPath, "--conditions=@harness/source", appender]

type Appender = { child: ChildProcessByStdio<null, Readable, null>; said: () => string }

/** Starts a process that appends to the conversation until it is killed or cannot. */
function start(command: readonly string[]): Appender {
  const [file = "", ...args] = command
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => {
    child.kill("SIGKILL")
  })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
  })
  return { child, said: () => text }
}

async function untilSaid({ child, said }: Appender, word: string): Promise<void> {
  while (!said().includes(word)) await once(child.stdout, "data")
}

/** The number of the last event that the process said it appended. */
function lastAppended(said: string): number {
  return Number(
    said.slice(0, said.lastIndexOf("\n")).match(/appended (\d+)(?!.*appended)/s)?.[1] ?? 0,
  )
}

test("killed at any time, a writer loses at most what it had not yet reported, and the next one goes on", async () => {
  const folder = join(await temporaryFolder(), "c0ffee000001")
  for (let round = 0; round < 8; round += 1) {
    const appending = start([...node, folder, ...(round % 2 ? ["--sync"] : [])])
    await untilSaid(appending, "appended")
    await new Promise(resolve => setTimeout(resolve, (round * 37) % 100))
    appending.child.kill("SIGKILL")
    await once(appending.child, "close")

    const { log, release } = openLog(folder)
    const events = await log.read()
    expect(events.length).toBeGreaterThanOrEqual(lastAppended(appending.said()))
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1))
    await release()
  }
})

test("a record torn by hand after a kill is cut off by the process that opens next", async () => {
  const folder = join(await temporaryFolder(), "c0ffee000001")
  const { log, file, release } = openLog(folder)
  log.append([{ type: "notice", code: "test", message: "whole" }], { sync: true })
  await release()
  appendFileSync(file, '{"seq":2,"at":"2026-')

  const appending = start([...node, folder])
  await untilSaid(appending, "appended")
  appending.child.kill("SIGKILL")
  await once(appending.child, "close")
  const reopened = openLog(folder)
  expect((await reopened.log.read())[1]).toMatchObject({ seq: 2, type: "notice", code: "log_torn" })
  await reopened.release()
})

test("while a process lives its conversation is locked, and once it is killed no more", async () => {
  const folder = join(await temporaryFolder(), "c0ffee000001")
  const appending = start([...node, folder])
  await untilSaid(appending, "open")
  const error = await thrownBy(() => openLog(folder))
  expect(toFailure(error)).toMatchObject({
    code: "conversation_locked",
    details: { pid: appending.child.pid },
  })
  appending.child.kill("SIGKILL")
  await once(appending.child, "close")
  await openLog(folder).release()
})

test("of many processes that open a new conversation at once exactly one gets it", async () => {
  const folder = join(await temporaryFolder(), "c0ffee000001")
  const opening = Array.from({ length: 6 }, () => start([...node, folder]))
  await Promise.all(
    opening.map(({ child, said }) =>
      Promise.race([once(child, "close"), untilSaid({ child, said }, "appended")]),
    ),
  )
  expect(opening.filter(({ said }) => said().includes("open")).length).toBe(1)
})

test("when a write does not fit on the disk the log stays as it was before it, and says why", async () => {
  const folder = join(await temporaryFolder(), "c0ffee000001")
  const { file, release } = openLog(folder)
  await release()
  const limited = start(["/bin/sh", "-c", 'ulimit -f 64; exec "$@"', "sh", ...node, folder])
  await once(limited.child, "close")

  expect(limited.said()).toContain("failed log_unwritable: The log")
  const seq = lastAppended(limited.said())
  expect(limited.said()).toContain(`head ${seq} read ${seq}\n`)
  expect(readFileSync(file, "utf8").endsWith("}\n")).toBe(true)

  const reopened = openLog(folder)
  expect(reopened.notices).toMatchObject([{ code: "log_unclosed" }])
  reopened.log.append([{ type: "notice", code: "test", message: "there is room again" }], {
    sync: true,
  })
  expect(await reopened.log.read()).toHaveLength(seq + 1)
  await reopened.release()
})
