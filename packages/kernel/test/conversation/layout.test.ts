import { stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { toFailure } from "@harness/protocol"
import { expect, test } from "vitest"
import { conversationPlaces, makeConversationFolder } from "../../src/conversation/layout.ts"
import { temporaryFolder, thrownBy } from "../support/temporary.ts"

test("a conversation lies under its project's key, and its artifacts beside its log", () => {
  expect(conversationPlaces("/h", { key: "k", conversation: "c" })).toEqual({
    folder: "/h/projects/k/c",
    log: "/h/projects/k/c/log.jsonl",
    places: "/h/projects/k/c/places.json",
    artifacts: "/h/projects/k/c/artifacts",
    evidence: "/h/projects/k/c/artifacts/evidence",
    processes: "/h/projects/k/c/artifacts/processes",
    programs: "/h/projects/k/c/artifacts/programs",
  })
})

test("every folder on the way to a conversation is for its owner alone", async () => {
  const places = conversationPlaces(join(await temporaryFolder(), "home"), {
    key: "k",
    conversation: "c",
  })
  makeConversationFolder(places)
  makeConversationFolder(places)
  for (const folder of [places.artifacts, places.folder, dirname(places.folder)]) {
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  }
})

test("a folder that cannot be made is a log that cannot be written", async () => {
  const home = await temporaryFolder()
  await writeFile(join(home, "projects"), "")
  const places = conversationPlaces(home, { key: "k", conversation: "c" })
  const error = await thrownBy(() => makeConversationFolder(places))
  expect(toFailure(error)).toMatchObject({ code: "log_unwritable", details: { file: places.log } })
})
