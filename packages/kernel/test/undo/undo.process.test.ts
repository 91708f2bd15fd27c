import { hash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { readEvents } from "../../src/conversation/log-on-disk.ts"
import { startKernel, type TestKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

type Reply = Parameters<typeof startKernel>[0][number]

/** A closed conversation whose turns made these calls. */
async function worked(
  replies: Reply[],
  files: Record<string, string> = {},
  config: { rules?: object[] } = {},
) {
  const test = startKernel(replies, { files, config })
  const conversation = await test.open()
  for (const reply of replies)
    if (reply.parts?.[0]?.type === "text") await test.send(conversation, "Go")
  await test.kernel.dispatch({ type: "close", conversation })
  return { ...test, conversation, found: findConversation(test.home, conversation) }
}

async function undoOf(
  { kernel }: Pick<TestKernel, "kernel">,
  conversation: string,
  options: { turn?: number; folder?: string } = {},
) {
  const planned = await kernel.dispatch({
    type: "undo",
    conversation,
    shown_seq: null,
    ...options,
  })
  if (planned.type === "failed") throw new Error(planned.failure.code)
  const done = await kernel.dispatch({
    type: "undo",
    conversation,
    shown_seq: planned.seq,
    ...options,
  })
  if (done.type === "failed") throw new Error(done.failure.code)
  return { planned: planned.files, done: done.files }
}

const hashes = { one: hash("sha256", "one\n"), two: hash("sha256", "two\n") }

const write = (path: string, text: string, expected = "absent"): [string, object] => [
  "note",
  { path, text, expected },
]

describe("undo", () => {
  test("gives changed files their first content back, removes those that were made, and leaves the rest", async () => {
    const { conversation, read, root, kernel, found } = await worked(
      [
        calls(1, write("a.txt", "two\n", hashes.one), write("new/b.txt", "made\n")),
        calls(2, write("a.txt", "three\n", hashes.two)),
        says("Done."),
      ],
      { "a.txt": "one\n", "c.txt": "mine\n" },
    )
    expect(await undoOf({ kernel }, conversation)).toEqual({
      planned: [
        { path: "a.txt", by: "actions", status: "restore" },
        { path: "new/b.txt", by: "actions", status: "remove" },
      ],
      done: [
        { path: "a.txt", by: "actions", status: "done" },
        { path: "new/b.txt", by: "actions", status: "done" },
      ],
    })
    expect([read("a.txt"), read("c.txt")]).toEqual(["one\n", "mine\n"])
    expect(existsSync(join(root, "new/b.txt"))).toBe(false)

    const events = readEvents(found)
    expect(events.at(-1)).toMatchObject({
      type: "undo_ended",
      turn: null,
      done: ["a.txt", "new/b.txt"],
      conflicts: [],
    })
    expect(await auditConversation(found)).toMatchObject({
      holds: true,
      log: { state: "closed", stored_seq: events.length },
    })
    expect((await undoOf({ kernel }, conversation)).done).toMatchObject([
      { path: "a.txt", status: "nothing" },
      { path: "new/b.txt", status: "nothing" },
    ])
  })

  test("touches nothing that is not as the conversation left it, and says what stands against it", async () => {
    const { conversation, read, root, kernel } = await worked(
      [
        calls(
          1,
          write("a.txt", "two\n", hashes.one),
          write("b.txt", "made\n"),
          write("c.txt", "made\n"),
          write("d.txt", "made\n"),
        ),
        says("Done."),
      ],
      { "a.txt": "one\n" },
    )
    writeFileSync(join(root, "a.txt"), "by hand\n")
    rmSync(join(root, "c.txt"))
    rmSync(join(root, "d.txt"))
    symlinkSync("b.txt", join(root, "d.txt"))
    const { done } = await undoOf({ kernel }, conversation)
    expect(done).toEqual([
      {
        path: "a.txt",
        by: "actions",
        status: "conflict",
        reason: "it holds something else by now",
      },
      { path: "b.txt", by: "actions", status: "done" },
      { path: "c.txt", by: "actions", status: "nothing" },
      { path: "d.txt", by: "actions", status: "conflict", reason: "it is no file by now" },
    ])
    expect(read("a.txt")).toBe("by hand\n")
    expect(existsSync(join(root, "b.txt"))).toBe(false)
  })

  test("takes back what changed while a command ran, with permissions, and what it removed", async () => {
    const command = "printf 'two\\n' > a.txt; chmod 600 a.txt; rm gone.sh; echo new > made.txt"
    const { conversation, read, root, kernel } = await worked(
      [
        calls(1, ["call", { command: "chmod 750 gone.sh" }]),
        says("So."),
        calls(2, ["call", { command }]),
        says("Done."),
      ],
      { "a.txt": "one\n", "gone.sh": "#!/bin/sh\n" },
    )
    const { done } = await undoOf({ kernel }, conversation, { turn: 2 })
    expect(done).toEqual([
      { path: "a.txt", by: "commands", status: "done" },
      { path: "gone.sh", by: "commands", status: "done" },
      { path: "made.txt", by: "commands", status: "done" },
    ])
    expect([read("a.txt"), read("gone.sh")]).toEqual(["one\n", "#!/bin/sh\n"])
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o644)
    expect(statSync(join(root, "gone.sh")).mode & 0o777).toBe(0o750)
    expect(existsSync(join(root, "made.txt"))).toBe(false)
  })

  test("of one turn takes back that turn alone, where later ones left its files as they were", async () => {
    const { conversation, read, kernel } = await worked(
      [
        calls(1, write("a.txt", "two\n", hashes.one), write("b.txt", "b1\n")),
        says("So."),
        calls(2, write("a.txt", "three\n", hashes.two)),
        says("Done."),
      ],
      { "a.txt": "one\n" },
    )
    const { done } = await undoOf({ kernel }, conversation, { turn: 1 })
    expect(done.map(({ path, status }) => [path, status])).toEqual([
      ["a.txt", "conflict"],
      ["b.txt", "done"],
    ])
    expect((await undoOf({ kernel }, conversation, { turn: 2 })).done).toMatchObject([
      { status: "done" },
    ])
    expect(read("a.txt")).toBe("two\n")
  })

  test("does only what was shown: a conversation that went on is refused, one that is open too", async () => {
    const { conversation, read, kernel, open } = await worked(
      [calls(1, write("a.txt", "two\n", hashes.one)), says("Done.")],
      { "a.txt": "one\n" },
    )
    const stale = await kernel.dispatch({ type: "undo", conversation, shown_seq: 3 })
    expect(stale).toMatchObject({ type: "failed", failure: { code: "conversation_changed" } })
    const other = await open()
    const locked = await kernel.dispatch({ type: "undo", conversation: other, shown_seq: 2 })
    expect(locked).toMatchObject({ type: "failed", failure: { code: "conversation_locked" } })
    expect(read("a.txt")).toBe("two\n")
  })

  test("works in a copy of the folder when it is named, and does not guess one", async () => {
    const { conversation, root, kernel } = await worked(
      [calls(1, write("a.txt", "two\n", hashes.one)), says("Done.")],
      { "a.txt": "one\n" },
    )
    const copy = `${root}-copy`
    mkdirSync(copy)
    writeFileSync(join(copy, "a.txt"), "two\n")
    rmSync(root, { recursive: true })
    await expect(undoOf({ kernel }, conversation)).rejects.toThrow("conversation_folder_unknown")
    expect((await undoOf({ kernel }, conversation, { folder: copy })).done).toMatchObject([
      { path: "a.txt", status: "done" },
    ])
  })

  test("restores a control file with the user's yes, and says of a secret file why it cannot", async () => {
    const { conversation, read, kernel, found } = await worked(
      [
        calls(
          1,
          write(".envrc", "two\n", hashes.one),
          write(".env", "key=2\n", hash("sha256", "key=1\n")),
        ),
        says("Done."),
      ],
      { ".envrc": "one\n", ".env": "key=1\n" },
      { rules: ["control_file", "secret_file"].map(permit => ({ verdict: "allow", permit })) },
    )
    expect((await undoOf({ kernel }, conversation)).done).toEqual([
      {
        path: ".env",
        by: "actions",
        status: "conflict",
        reason: "it holds secrets, of which only the hash is kept",
      },
      { path: ".envrc", by: "actions", status: "done" },
    ])
    expect([read(".envrc"), read(".env")]).toEqual(["one\n", "key=2\n"])
    const proposed = readEvents(found).findLast(({ type }) => type === "action_proposed")
    expect(proposed).toMatchObject({
      action: "restore_file",
      origin: { type: "undo" },
      permits: [{ permit: "control_file" }],
      verdict: "allow",
      rule: "undo",
    })
  })

  test("does not bring back a content that was redacted", async () => {
    const { conversation, root, kernel, found, read } = await worked(
      [calls(1, write("a.txt", "two\n", hashes.one)), says("Done.")],
      { "a.txt": "one\n" },
    )
    await kernel.dispatch({ type: "redact", conversation, evidence: hashes.one })
    expect((await undoOf({ kernel }, conversation)).done).toEqual([
      {
        path: "a.txt",
        by: "actions",
        status: "conflict",
        reason: "what it held before was redacted",
      },
    ])
    await kernel.dispatch({ type: "redact", conversation, evidence: hashes.two })
    expect(read("a.txt")).toBe("two\n")
    const payload = join(found.evidence, hashes.two.slice(0, 2), hashes.two)
    expect(existsSync(payload)).toBe(false)
    chmodSync(join(root, "a.txt"), 0o600)
    expect((await auditConversation(found)).holds).toBe(true)
  })
})
