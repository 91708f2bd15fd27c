import { hash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { EventBody, EvidenceLink, ProcessReceipt } from "@harness/protocol"
import { openFileLog } from "../../../src/conversation/file-log.ts"
import { type FoundConversation, findConversation } from "../../../src/conversation/find.ts"
import { conversationPlaces, makeConversationFolder } from "../../../src/conversation/layout.ts"
import { lockConversation } from "../../../src/conversation/lock.ts"
import { keepPlaces } from "../../../src/conversation/places-file.ts"
import { openFileEvidence } from "../../../src/evidence/file-store.ts"
import { createRecorder, type Recorder } from "../../../src/loop/recorder.ts"
import { at } from "../../conversation/support/open-log.ts"
import { proposed, started, task } from "../../conversation/support/turn.ts"
import { temporaryFolder } from "../../support/temporary.ts"

export const places = { root: "/srv/shop", home: "/home/jo", temp: "/tmp/h1" }

/** A conversation on the disk, and a way to go on with it. */
export type KeptConversation = {
  home: string
  conversation: FoundConversation
  /** Takes the lock, records, and closes again. */
  record(...bodies: EventBody[]): Promise<void>
}

/** One turn that changed a file, ran a command and a program, as the kernel leaves it behind. */
export async function keptConversation(id = "c0ffee000001"): Promise<KeptConversation> {
  const home = await temporaryFolder()
  const paths = conversationPlaces(home, { key: "k", conversation: id })
  makeConversationFolder(paths)
  keepPlaces(paths.places, places)

  async function write(use: (recorder: Recorder) => void): Promise<void> {
    const lock = lockConversation({ folder: paths.folder, conversation: id })
    const now = () => Date.parse(at)
    const { log, notices } = openFileLog({ file: paths.log, conversation: id, lock, places, now })
    const evidence = openFileEvidence({ folder: paths.evidence })
    const recorder = createRecorder({ log, evidence, tell: () => {}, lastSeq: log.head().seq })
    recorder.recordAll(notices, { sync: false })
    use(recorder)
    await log.close()
    lock.release()
  }

  await write(recorder => {
    const put = (role: string, path: string, text: string): EvidenceLink => {
      const sha256 = hash("sha256", text)
      keep(join(paths.evidence, sha256.slice(0, 2), sha256), text)
      return { role, sha256, bytes: Buffer.byteLength(text), path }
    }
    const [before, after] = [put("before", "a.txt", "one\n"), put("after", "a.txt", "two\n")]
    const created = put("after", "b.txt", "made\n")
    for (const body of [
      { type: "turn_started", turn: 1 } as const,
      task,
      proposed("c1", "a1", "write_file"),
      started("a1"),
      action("a1", "write_file", { evidence: [before, after] }),
      proposed("c2", "a2", "write_file"),
      action("a2", "write_file", { evidence: [created] }),
      proposed("c3", "a3", "run_command"),
      action("a3", "run_command", { evidence: [], process: command("12345678", "done\n") }),
      ...program(1, `print("${places.root}/a.txt {root}")\n`, "/srv/shop/a.txt\n"),
      {
        type: "turn_ended",
        turn: 1,
        ending: { status: "answered" },
        verification: "not_requested",
      } as const,
      { type: "conversation_closed" } as const,
    ]) {
      recorder.record(body)
    }
  })

  function command(processId: string, output: string): ProcessReceipt {
    const receipt: ProcessReceipt = {
      id: processId,
      status: "exited",
      exit_code: 0,
      signal: null,
      elapsed_seconds: 0.2,
      output_bytes: Buffer.byteLength(output),
      dropped_bytes: 0,
      output_sha256: hash("sha256", output),
      output_id: `output:${processId}`,
      truncated: false,
    }
    keep(join(paths.processes, processId, "output"), output)
    keep(join(paths.processes, processId, "receipt.json"), `${JSON.stringify(receipt)}\n`)
    return receipt
  }

  function program(number: number, source: string, output: string): EventBody[] {
    keep(join(paths.programs, String(number), "source"), source)
    keep(join(paths.programs, String(number), "output"), output)
    const step = { turn: 1, step: 1, program: number }
    return [
      { type: "program_started", ...step, call_id: "c4", language: "python", source },
      {
        type: "program_ended",
        ...step,
        status: "ok",
        exit_code: null,
        error: null,
        calls: 0,
        output_characters: output.length,
        output_bytes: Buffer.byteLength(output),
        output_sha256: hash("sha256", output),
        elapsed_ms: 1,
        variables_kept: true,
      },
    ]
  }

  return {
    home,
    conversation: findConversation(home, id),
    record: (...bodies) => write(recorder => recorder.recordAll(bodies, { sync: false })),
  }
}

function action(
  action_id: string,
  name: string,
  left: { evidence: EvidenceLink[]; process?: ProcessReceipt },
): EventBody {
  const evidence_bytes = left.evidence.reduce((sum, { bytes }) => sum + bytes, 0)
  const receipt = { status: "ok" as const, elapsed_ms: 1, evidence_bytes, ...left }
  return { type: "action_ended", action_id, action: name, result: {}, receipt }
}

function keep(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
