import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { OpenConversation } from "@harness/protocol"
import { describe, expect, test } from "vitest"
import { auditConversation } from "../../src/audit/audit.ts"
import { findConversation } from "../../src/conversation/find.ts"
import { ofType, startKernel } from "../support/kernel.ts"
import { calls, says } from "../support/script.ts"

const program = (step: number, source: string) =>
  calls(step, ["run_program", { language: "lines", source }])

/** A folder as git makes one of a clone, without git. */
function repository(folder: string, remote: string, head = "1".repeat(40)): void {
  mkdirSync(join(folder, ".git", "refs", "heads"), { recursive: true })
  writeFileSync(join(folder, ".git", "config"), `[remote "origin"]\n\turl = ${remote}\n`)
  writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n")
  writeFileSync(join(folder, ".git", "refs", "heads", "main"), `${head}\n`)
}

const open = (kernel: ReturnType<typeof startKernel>, given: Partial<OpenConversation>) =>
  kernel.kernel.dispatch({
    type: "open",
    folder: kernel.root,
    agent: "harness",
    sandbox: "off",
    approver: false,
    ...given,
  })

describe("a conversation of a git remote", () => {
  test("goes on in a renamed folder and in a clone; its model sees the paths there, and an audit holds", async () => {
    const kernel = startKernel([
      program(
        1,
        `print ${"{root}"}\ncall call ${JSON.stringify({ command: "pwd; echo $TMPDIR" })}`,
      ),
      says("Looked."),
    ])
    repository(kernel.root, "git@example.com:jo/shop.git")
    const conversation = await kernel.open({ style: "programs" })
    await kernel.send(conversation, `Look at ${kernel.root}/a.txt`)
    await kernel.kernel.dispatch({ type: "close", conversation })

    const elsewhere = join(dirname(kernel.root), "elsewhere")
    renameSync(kernel.root, elsewhere)
    await kernel.resume(conversation, [program(2, `print ${elsewhere}`), says("Again.")], {
      folder: elsewhere,
    })
    await kernel.send(conversation, "Go on.")
    const texts = JSON.stringify(kernel.requests().at(-1)?.messages)
    expect(texts).toContain(`Look at ${elsewhere}/a.txt`)
    expect(texts).not.toContain(kernel.root)
    await kernel.kernel.dispatch({ type: "close", conversation })
    const log = kernel.log().map(record => JSON.stringify(record))
    expect(log.filter(line => line.includes(elsewhere) || line.includes(kernel.root))).toEqual([])

    const clone = join(dirname(kernel.root), "clone")
    mkdirSync(clone)
    repository(clone, "https://example.com/jo/shop", "2".repeat(40))
    await kernel.resume("last", [says("There.")], { folder: clone })
    await kernel.send(conversation, "And now?")
    const [, again] = ofType(kernel.events, "conversation_resumed")
    expect(again?.told).toBe(
      [
        "harness resumed this conversation. What is not as it was:",
        `- git HEAD was ${"1".repeat(12)}, and is ${"2".repeat(12)}.`,
        "- Variables of earlier programs are gone.",
      ].join("\n"),
    )
    await kernel.kernel.dispatch({ type: "close", conversation })
    const audit = await auditConversation(findConversation(kernel.home, conversation))
    expect(audit).toMatchObject({
      holds: true,
      findings: [],
      intact: { programs: 2, processes: 1 },
    })
  })
})

describe("a conversation of another project", () => {
  test("is refused with the folder that it worked in, or goes on there, as the face has it", async () => {
    const kernel = startKernel([says("Hello.")])
    const conversation = await kernel.open()
    await kernel.send(conversation, "Hello?")
    await kernel.kernel.dispatch({ type: "close", conversation })
    const other = join(dirname(kernel.root), "other")
    mkdirSync(other)
    const before = contentOf(join(kernel.home, "projects"))

    expect(await open(kernel, { folder: other, resume: conversation })).toMatchObject({
      type: "failed",
      failure: {
        code: "conversation_elsewhere",
        message: `The conversation ${conversation} is of another project than ${other}: it worked in ${kernel.root}.`,
        exit: 2,
      },
    })
    expect(await open(kernel, { folder: other, resume: "last" })).toMatchObject({
      failure: { message: `There is no conversation of the project in ${other}.` },
    })
    expect(contentOf(join(kernel.home, "projects"))).toEqual(before)

    expect(
      await open(kernel, { folder: other, resume: conversation, elsewhere: true }),
    ).toMatchObject({
      type: "open",
      conversation,
    })
    expect(ofType(kernel.events, "conversation_resumed")[0]?.folder).toBe(kernel.root)
  })
})

test("what cannot be resumed is told, and nothing of it is changed", async () => {
  const kernel = startKernel([says("Hello.")])
  const first = await kernel.open()
  await kernel.send(first, "Hello?")
  expect(await open(kernel, { resume: first })).toMatchObject({
    failure: { code: "conversation_locked", exit: 1 },
  })
  await kernel.kernel.dispatch({ type: "close", conversation: first })
  const second = await kernel.open()
  await kernel.kernel.dispatch({ type: "close", conversation: second })

  const { log, folder } = findConversation(kernel.home, second)
  const text = readFileSync(log, "utf8")
  writeFileSync(log, text.replace('"style":"tools"', '"style":"toolz"'))
  const before = contentOf(join(kernel.home, "projects"))
  const refusals = { none: "conversation_unknown", id: "conversation_ambiguous" }
  for (const [resume, code] of [...Object.entries(refusals), [second, "log_damaged"]]) {
    expect(await open(kernel, { resume: resume ?? "" })).toMatchObject({ failure: { code } })
  }
  const gone = join(kernel.root, "gone")
  expect(await open(kernel, { resume: first, folder: gone })).toMatchObject({
    failure: { code: "folder_missing" },
  })
  expect(await open(kernel, { resume: first, model: "scripted/none.json" })).toMatchObject({
    type: "failed",
  })
  expect(contentOf(join(kernel.home, "projects"))).toEqual(before)

  cpSync(folder, join(dirname(folder), "copied000001"), { recursive: true })
  expect(await open(kernel, { resume: "copied000001" })).toMatchObject({
    failure: { code: "log_damaged" },
  })
})

/** Every file below a folder with its text; of a lock that was taken and given back the number is no content. */
function contentOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name.replace(/^lock-\d+-/, "lock-"))
      return [path, readFileSync(join(parentPath, name), "utf8")]
    }),
  )
}
