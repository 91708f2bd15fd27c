import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeProvider, type ProviderScenario } from "@harness/sdk/testing"
import { replay } from "../src/index.ts"

describeProvider({
  name: "replay",

  async open(scenario) {
    const folder = await mkdtemp(join(tmpdir(), "harness-replay-"))
    const path = join(folder, "recording.jsonl")
    await writeFile(path, recordingOf(scenario))

    return {
      provider: await replay.create({ model: path, env: {}, config: {} }),
      model: path,
      close: () => rm(folder, { recursive: true }),
    }
  },
})

/** The suite answers its first call with `error` and its second with `denied`. */
function recordingOf({ messages, waitMs }: ProviderScenario): string {
  const statuses = ["error", "denied"]
  const calls = messages.map(({ content }) => content.filter(part => part.type === "call").length)

  const lines = messages.map(({ content, usage }, index) => ({
    expect: Array.from({ length: calls[index - 1] ?? 0 }, () => ({ status: statuses[index - 1] })),
    message: { role: "assistant", content },
    usage,
    finish: calls[index] === 0 ? "stop" : "tool_calls",
    delay_ms: waitMs,
  }))
  return [{ recording: 1, model: "recorded-1" }, ...lines]
    .map(line => `${JSON.stringify(line)}\n`)
    .join("")
}
