import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { keepPlaces } from "../../src/conversation/places-file.ts"
import { projectKey } from "../../src/conversation/project-key.ts"
import { listConversations } from "../../src/kept/list.ts"
import { shortIds } from "../../src/kept/short-ids.ts"
import { keptConversation } from "../audit/support/kept.ts"
import { conversationModel, type Spent, type Talk, writeTalk } from "../statistics/support/spent.ts"
import { temporaryFolder } from "../support/temporary.ts"

const step: Spent = {
  day: "2026-11-30",
  model: conversationModel,
  type: "step",
  end: "answered",
  usage: {
    input_tokens: 100,
    cached_input_tokens: 80,
    output_tokens: 10,
    reasoning_tokens: 4,
  },
  cost: 0.5,
  lostTries: 0,
  modelMs: 1_000,
  overheadMs: 2,
}

const talk = (project: string, day: string, ...requests: Spent[]): Talk => {
  return { project, day, turns: [requests.map(request => ({ ...request, day }))] }
}

async function homeAndFolder() {
  const base = await temporaryFolder()
  const [home, folder] = [join(base, "home"), join(base, "shop")]
  mkdirSync(home)
  mkdirSync(folder)
  const remote = (at: string, url: string) => {
    mkdirSync(join(at, ".git"), { recursive: true })
    writeFileSync(join(at, ".git", "HEAD"), "ref: refs/heads/main\n")
    writeFileSync(join(at, ".git", "config"), `[remote "origin"]\n\turl = ${url}\n`)
  }
  const key = async (at: string) => (await projectKey(at, { home, ids: () => "0a0a" })).key
  return { base, home, folder, remote, key }
}

describe("the list", () => {
  test("has the newest activity first, with what each came to", async () => {
    const { home, folder } = await homeAndFolder()
    const log = writeTalk(home, "4b825dc642cb", talk("folder-a", "2026-11-28", step, step))
    keepPlaces(join(log, "..", "places.json"), { root: folder, home: "/home/jo", temp: "/tmp/h1" })
    writeTalk(home, "4b825df00000", talk("folder-b", "2026-11-30", { ...step, cost: null }))

    const at = (day: string) => `${day}T10:00:00.000Z`
    const both = {
      title: "# Fix it",
      remote: null,
      model: conversationModel,
      turns: 1,
      ending: { status: "answered" },
      open: false,
    }
    expect(await listConversations(undefined, home)).toEqual({
      type: "conversations",
      conversations: [
        {
          ...both,
          id: "4b825df00000",
          short_id: "4b825df",
          folder: null,
          started_at: at("2026-11-30"),
          active_at: at("2026-11-30"),
          steps: 1,
          cost: null,
        },
        {
          ...both,
          id: "4b825dc642cb",
          short_id: "4b825dc",
          folder,
          started_at: at("2026-11-28"),
          active_at: at("2026-11-28"),
          steps: 2,
          cost: 1,
        },
      ],
      damaged: [],
    })
  })

  test("names what does not hold and shows the others, one that was cut off among them", async () => {
    const { home } = await homeAndFolder()
    const ids = ["aaaaaa000001", "bbbbbb000002", "cccccc000003", "dddddd000004"]
    const [whole = "", torn = "", damaged = "", empty = ""] = ids.map(id =>
      writeTalk(home, id, talk("folder-a", "2026-11-30", step)),
    )
    appendFileSync(torn, '{"seq":9,"at":"2026')
    writeFileSync(damaged, readFileSync(damaged, "utf8").split("\n").with(2, "x").join("\n"))
    writeFileSync(empty, "")

    for (const _again of [1, 2]) {
      const { conversations, damaged: named } = await listConversations(undefined, home)
      expect(conversations.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2))
      expect(named).toEqual([
        { conversation: "cccccc000003", reason: "record 3 is damaged" },
        { conversation: "dddddd000004", reason: "it holds no record" },
      ])
    }
    expect(whole).not.toBe("")
  })

  test("is of the folder's project: a clone, a renamed folder, and from before there was a remote", async () => {
    const { base, home, folder, remote, key } = await homeAndFolder()
    writeTalk(home, "aaaaaa000001", talk(await key(folder), "2026-11-28", step))
    writeTalk(home, "bbbbbb000002", talk("folder-other", "2026-11-29", step))
    remote(folder, "git@example.org:jo/shop.git")
    const log = writeTalk(home, "cccccc000003", talk(await key(folder), "2026-11-30", step))
    keepPlaces(join(log, "..", "places.json"), { root: folder, home: "/home/jo", temp: "/tmp/h1" })

    const listed = async (at: string) =>
      (await listConversations(at, home)).conversations.map(found => [found.id, found.remote])
    const shop = "example.org/jo/shop"
    const project = [
      ["cccccc000003", shop],
      ["aaaaaa000001", shop],
    ]
    expect(await listed(folder)).toEqual(project)
    const renamed = join(base, "renamed")
    renameSync(folder, renamed)
    expect(await listed(renamed)).toEqual(project)

    const clone = join(base, "clone")
    mkdirSync(clone)
    remote(clone, "https://user:secret@example.org/jo/shop")
    expect(await listed(clone)).toEqual(project)
    const other = join(base, "other")
    mkdirSync(other)
    expect(await listed(other)).toEqual([])
  })

  test("shows the title that was given, and the places of today in it", async () => {
    const kept = await keptConversation()
    const title = async () =>
      (await listConversations(undefined, kept.home)).conversations.map(found => found.title)
    expect(await title()).toEqual(["Copy a and b from /srv/shop to c."])
    await kept.record({ type: "conversation_renamed", title: "The {root} of /srv/shop" })
    expect(await title()).toEqual(["The {root} of /srv/shop"])
  })

  test("of a thousand conversations comes from the index", { timeout: 60_000 }, async () => {
    const { home } = await homeAndFolder()
    for (let number = 0; number < 1_000; number += 1) {
      writeTalk(home, String(number).padStart(12, "0"), talk("folder-a", "2026-11-30", step))
    }
    const cold = await listConversations(undefined, home)
    expect(cold.conversations).toHaveLength(1_000)
    expect(cold.conversations.at(-1)?.short_id).toMatch(/^\d{12}$/)
    expect(await listConversations(undefined, home)).toEqual(cold)
  })
})

test("an id is shortened to what no other one begins with, and to six characters at least", () => {
  const ids = ["0123456789ab", "0123456789ac", "abcdef012345", "abc"]
  expect(ids.map(shortIds(ids))).toEqual(["0123456789ab", "0123456789ac", "abcdef", "abc"])
})
