// Ends itself with SIGKILL where a payload would be removed: `node killed.ts redact|gc <home> <id>`.
import { hash } from "node:crypto"
import { collectGarbage } from "../../../src/collection/collect.ts"
import { findConversation } from "../../../src/conversation/find.ts"
import { redactEvidence } from "../../../src/redaction/redact.ts"

const [what, home = "", id = ""] = process.argv.slice(2)
const options = { clock: Date.now, remove: () => process.kill(process.pid, "SIGKILL") }

if (what === "redact") {
  const evidence = hash("sha256", "one\n")
  await redactEvidence(findConversation(home, id), { evidence, reason: null }, options)
} else {
  await collectGarbage({ home, olderThanSeconds: 0, dryRun: false, ...options })
}
