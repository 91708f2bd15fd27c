// A process that appends for ever: `node appender.ts <conversation's folder> [--sync]`. It prints the
// number of each event after it was appended; what is printed must be in the log.
import { type EventBody, toFailure } from "@harness/protocol"
import type { ConversationLog } from "@harness/sdk"
import { openLog } from "./open-log.ts"

const [folder = "", sync] = process.argv.slice(2)
// A file size limit sends this signal; as an error of the write it can be reported.
process.on("SIGXFSZ", () => {})

try {
  const { log, notices } = openLog(folder)
  log.append(notices, { sync: false })
  console.log("open")
  appendUntilItFails(log, sync === "--sync")
  console.log(`head ${log.head().seq} read ${(await log.read()).length}`)
} catch (error) {
  console.log(`failed ${toFailure(error).code}`)
}

function appendUntilItFails(log: ConversationLog, sync: boolean): void {
  try {
    for (let number = 0; ; number += 1) {
      const message = `${number} ${"x".repeat(number % 900)}`
      const body: EventBody = { type: "notice", code: "test", message }
      const events = log.append([body, body], { sync })
      console.log(`appended ${events.at(-1)?.seq}`)
    }
  } catch (error) {
    console.log(`failed ${toFailure(error).code}: ${toFailure(error).message}`)
  }
}
