import { existsSync, realpathSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { ConfigValue, DurableEvent } from "@harness/protocol"
import { payloadPlace, redactionsOf } from "../audit/expected.ts"
import { ensureHome } from "../config/home.ts"
import type { OpenContext } from "../context.ts"
import { asRan } from "../conversation/as-ran.ts"
import { leftTemp } from "../conversation/left-temp.ts"
import { lockConversation } from "../conversation/lock.ts"
import { readEvents } from "../conversation/log-on-disk.ts"
import { messagesOf } from "../conversation/messages.ts"
import type { Held } from "../held.ts"
import { createKnownFiles } from "../loop/known-files.ts"
import type { Beginning, Begun } from "../open.ts"
import { receiptOfLost } from "../scheduler/lost-process.ts"
import { resumeState } from "../state.ts"
import { beforeOf } from "./before.ts"
import { type ComparedFiles, compareFiles, learnFrom } from "./files.ts"
import type { ConversationToResume } from "./found.ts"
import { leftPayloads } from "./left-payloads.ts"
import { endingsOf, lostIn, lostProcesses } from "./lost.ts"
import { noPast, type Past } from "./past.ts"
import { resumedConfig } from "./settings.ts"
import { toldOf } from "./told.ts"

/**
 * Takes up a conversation that exists: its lock first, then its log is read, and nothing is written
 * until all that it needs is there. Throws `conversation_locked`, `log_damaged`, `log_unreadable`.
 */
export function takeUp(
  { conversation, folder: root }: ConversationToResume,
  {
    temp,
    values,
    held,
    context,
  }: {
    temp: string
    values: readonly ConfigValue[]
    held: Held
    context: OpenContext
  },
): Beginning {
  const { id, folder } = conversation
  const lock = lockConversation({ folder, conversation: id })
  held.add(async () => lock.release())
  const places = { root, temp, home: realpathSync(homedir()) }
  const events = readEvents(conversation, places)
  const before = beforeOf(events)
  const config =
    before === null ? context.config : resumedConfig(context.config, values, before.settings)
  const redacted = [...redactionsOf(events).keys()]

  return {
    place: { ...conversation, root, temp },
    config,
    kind: before?.kind ?? undefined,
    redacted,

    async begin({ kind, model }, environment): Promise<Begun> {
      const known = createKnownFiles()
      const states = learnFrom(events, { actions: kind.actions, known })
      const lost = lostIn(events)
      const [processes, files, dirty] = await Promise.all([
        lostProcesses(lost, {
          events,
          processes: conversation.processes,
          receiptOf: one => receiptOfLost(conversation.processes, one),
          isKept: sha256 => existsSync(join(folder, payloadPlace(sha256))),
        }),
        compareFiles(root, states),
        environment.dirty(lookMs),
      ])
      for (const path of differing(files)) known.forget(path)

      await ensureHome(context.home)
      const left = leftTemp(conversation)
      if (left !== null) rmSync(left, { recursive: true, force: true })
      const isUnderWay = lost.actions.some(({ isBegun }) => isBegun)
      const payloads = isUnderWay ? await leftPayloads(folder, events) : []
      const endings = endingsOf(lost, { events, processes, payloads })
      const { state: opened, appended } = resumeState(conversation, {
        lock,
        places,
        redacted,
        events,
        endings,
        clock: context.clock,
      })
      const { repository } = opened
      const state = { ...opened, repository: repository && { ...repository, dirty } }
      held.add(state.close)
      for (const event of appended) context.tell(id, event)
      if (before === null) return { state, past: noPast() }

      const all = [...events, ...appended]
      const { style, approve = "none", sandbox, network } = config
      const past: Past = {
        before,
        events: all,
        messages: messagesOf(all),
        known,
        told: toldOf({
          session: [...before.session, ...appended],
          proposals: proposalsIn(all),
          was: before,
          now: {
            settings: { model: model.id, style, approve, sandbox, network },
            kind: kind.name,
            repository: state.repository,
            temp,
          },
          files,
        }),
      }
      return { state, past }
    },
  }
}

/** How long the repository is looked at for uncommitted changes. */
const lookMs = 2_500

function differing({ changed, gone, appeared }: ComparedFiles): string[] {
  return [...changed, ...gone, ...appeared]
}

function proposalsIn(events: readonly DurableEvent[]) {
  return new Map(
    asRan(events).flatMap(event =>
      event.type === "action_proposed" ? [[event.action_id, event] as const] : [],
    ),
  )
}
