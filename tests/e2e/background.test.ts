// What an agent leaves running: it is there for the rest of the run, and gone with it, on record.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ProcessReceipt } from "../../packages/protocol/src/index.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"
import { processesWith } from "./support/processes.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const port = 8_417
const server = `require("net").createServer(s => s.end("served")).listen(${port}, "127.0.0.1")`
const client = `require("net").connect(${port}, "127.0.0.1").on("data", d => console.log(String(d)))`
const program = (source: string) => ({
  calls: [{ tool: "run_program", arguments: { language: "python", source } }],
})

test.for(["off", "os"])(
  "a server that a program starts serves the next one's command, and ends with the run; sandbox %s",
  async sandbox => {
    const home = await homes.fresh()
    const node = JSON.stringify(process.execPath)
    const script = [
      program(
        `started = start_process([${node}, "-e", ${JSON.stringify(server)}], ready=${port})\nprint(started["status"], started["ready"])`,
      ),
      program(
        `print(run_command([${node}, "-e", ${JSON.stringify(client)}])["output"].strip(), process_status(started["id"])["status"])`,
      ),
      { text: "It serves." },
    ]
    const job = await startJob({ home, script })
    const end = await job.run("-p", "--style", "programs", "--sandbox", sandbox)
    expect(end).toMatchObject({ exitCode: 0, stdout: "It serves.\n", stderr: "" })

    const told = job.server.requests.flatMap(({ results }) => results)
    expect(told.map(text => text.split("\n")[0])).toEqual(["running True", "served running"])
    expect(await processesWith(home.path)).toEqual([])
    expect(await processesWith(`listen(${port}`)).toEqual([])

    const { folder, events } = await readOnlyLog(home)
    const [ended, ...others] = ofType(events, "process_ended")
    expect(ended?.process).toMatchObject({ status: "session_closed" })
    expect(others).toEqual([])
    expect(events.at(-1)?.type).toBe("conversation_closed")
    const id = ended?.process.id ?? ""
    const stored = await readFile(join(folder, "artifacts/processes", id, "receipt.json"), "utf8")
    expect(ProcessReceipt.parse(JSON.parse(stored))).toEqual(ended?.process)
  },
)
