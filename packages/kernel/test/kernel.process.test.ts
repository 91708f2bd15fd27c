import { existsSync, mkdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { ofType, startKernel } from "./support/kernel.ts"
import { calls, says } from "./support/script.ts"

describe("a conversation", () => {
  test("keeps a log that names no place of this machine and chains to its head", async () => {
    const kernel = startKernel([calls(1, ["call", { command: "pwd" }]), says("Done.")])
    const conversation = await kernel.open()
    await kernel.send(conversation, `Look at ${kernel.root}/a.txt`)
    await kernel.kernel.dispatch({ type: "close", conversation })
    const text = JSON.stringify(kernel.log())
    expect(text).not.toContain(kernel.root)
    expect(text).toContain("{root}/a.txt")
    expect(kernel.log().at(-1)).toMatchObject({ type: "conversation_closed" })
  })

  test("leaves no temporary folder and no second turn after its close", async () => {
    const kernel = startKernel([
      calls(1, ["call", { command: 'printf %s "$TMPDIR"' }]),
      says("So."),
    ])
    const conversation = await kernel.open()
    await kernel.send(conversation, "Where?")
    const temp = String(ofType(kernel.events, "action_ended")[0]?.result.output)
    expect(existsSync(temp)).toBe(true)

    await kernel.kernel.dispatch({ type: "close", conversation })
    expect(existsSync(temp)).toBe(false)
    await expect(kernel.send(conversation, "Again")).rejects.toThrow(/^conversation_unknown: /)
  })

  test("refuses a second turn while one runs", async () => {
    const kernel = startKernel([{ hangs: true }])
    const conversation = await kernel.open()
    const turn = kernel.send(conversation, "One")
    await expect(kernel.send(conversation, "Two")).rejects.toThrow(
      "command_invalid: The command send was refused: a turn is running.",
    )
    await kernel.kernel.dispatch({ type: "interrupt", conversation, reason: "enough" })
    await turn
  })

  test("is not begun when its folder, kind or model cannot be", async () => {
    const kernel = startKernel([says("Hello.")], { files: { "file.txt": "" } })
    await expect(kernel.open({ folder: `${kernel.root}/none` })).rejects.toThrow(
      /^folder_missing: /,
    )
    await expect(kernel.open({ folder: `${kernel.root}/file.txt` })).rejects.toThrow(
      /^folder_not_directory: /,
    )
    mkdirSync(`${kernel.home}/projects-of-mine`, { recursive: true })
    for (const folder of [kernel.home, `${kernel.home}/projects-of-mine`]) {
      await expect(kernel.open({ folder })).rejects.toThrow(/^folder_reserved: /)
    }
    await expect(kernel.open({ kind: "moon" })).rejects.toThrow(/^kind_unknown: /)
    await expect(kernel.open({ model: "moon/one" })).rejects.toThrow(/^model_unknown: /)
    await expect(kernel.open({ model: "moon" })).rejects.toThrow(/^model_unknown: /)
    await expect(kernel.open({ agent: "codex" })).rejects.toThrow(/^option_invalid: /)
    expect(existsSync(`${kernel.home}/projects`)).toBe(false)
  })
})
