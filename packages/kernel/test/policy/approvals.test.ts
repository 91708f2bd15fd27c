import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { DurableEvent, Rule } from "@harness/protocol"
import { expect, test } from "vitest"
import { approvalsFile, createApprovals } from "../../src/policy/approvals.ts"
import { temporaryFolder } from "../support/temporary.ts"

const rules: Rule[] = [
  { verdict: "allow", command: "npm test" },
  { verdict: "allow", command: "npm run build" },
]

async function opened({ keys = ["shop"], events = [] as DurableEvent[] } = {}) {
  const home = await temporaryFolder()
  const unusable: string[] = []
  const open = (conversation: string) =>
    createApprovals({
      conversation,
      home,
      keys: async () => keys,
      events,
      clock: () => Date.UTC(2026, 10, 30),
      onUnusable: ({ code, message }) => void unusable.push(`${code} ${message}`),
    })
  return { home, unusable, open, file: approvalsFile(home, "shop") }
}

test("what is saved for the project is there for each of its conversations, also side by side", async () => {
  const { open } = await opened()
  const [one, other] = [open("c1"), open("c2")]
  const [first, second] = rules
  await Promise.all([
    one.save({ request: "r1", scope: "project", rules }),
    other.save({ request: "r2", scope: "project", rules: first ? [first] : [] }),
    one.save({ request: "r3", scope: "conversation", rules: second ? [second] : [] }),
  ])
  const ids = (await other.list()).map(({ id, conversation }) => `${conversation} ${id}`)
  expect(ids.sort()).toEqual(["c1 r1-1", "c1 r1-2", "c2 r2"])
  expect((await one.list()).map(({ id }) => id).sort()).toEqual(["r1-1", "r1-2", "r2", "r3"])
  expect((await other.list()).find(({ id }) => id === "r2")).toEqual({
    id: "r2",
    rule: first,
    at: "2026-11-30T00:00:00.000Z",
    conversation: "c2",
  })
})

test("what was saved before the project had a remote counts on", async () => {
  const { home, file, open } = await opened({ keys: ["shop", "folder-1"] })
  await open("c1").save({ request: "r1", scope: "project", rules: rules.slice(0, 1) })
  mkdirSync(join(home, "projects", "folder-1"))
  renameSync(file, approvalsFile(home, "folder-1"))
  expect((await open("c2").list()).map(({ id }) => id)).toEqual(["r1"])
})

test.each<[string, (file: string) => void]>([
  [
    "it is a symbolic link",
    file => {
      renameSync(file, `${file}.real`)
      symlinkSync(`${file}.real`, file)
    },
  ],
  ["others may write it", file => chmodSync(file, 0o622)],
  ["in JSON", file => writeFileSync(file, "{")],
  ["approvals", file => writeFileSync(file, '{"version":1}')],
])("a file counts for nothing, is named once and not added to: %s", async (reason, spoil) => {
  const { file, open, unusable } = await opened()
  const approvals = open("c1")
  const save = () => approvals.save({ request: "r1", scope: "project", rules })
  await save()
  spoil(file)
  expect(await approvals.list()).toEqual([])
  expect(await approvals.list()).toEqual([])
  expect(unusable).toEqual([expect.stringContaining(reason)])
  expect(unusable[0]).toMatch(new RegExp(`^approvals_invalid .*${file}`))
  await expect(save()).rejects.toMatchObject({ code: "approvals_invalid" })
})
