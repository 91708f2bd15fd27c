import { globSync } from "node:fs"
import { appendFile, stat } from "node:fs/promises"
import { expect, test } from "vitest"
import { harness } from "./support/harness.ts"
import { job } from "./support/job.ts"
import { linkedHome } from "./support/linked-home.ts"

const price = { input: 1, cached_input: 0.1, output: 10 }

test("what runs spent is summed over their logs, by several processes at once and of a torn log too", async () => {
  const home = await linkedHome()
  try {
    await home.write({
      "config.jsonc": JSON.stringify({ models: { "openai-compatible/scripted": { price } } }),
    })
    const { start } = await job(home.path, {
      script: [
        { calls: [{ tool: "read", arguments: { path: "a.txt" } }] },
        { text: "It says one." },
      ],
    })
    const { exitCode, stderr, stdout } = await start(["--json"]).ended
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    const conversation = /"conversation":"([0-9a-f]{12})"/.exec(stdout)?.[1] ?? ""
    const paths = globSync(`projects/*/${conversation}/log.jsonl`, { cwd: home.path })
    expect(paths).toHaveLength(1)
    for (const path of paths) await appendFile(home.at(path), '{"seq":')

    const asked = ["stats", "--by", "model", "--json"]
    const ends = await Promise.all([1, 2, 3].map(() => harness(asked, { home: home.path })))
    const row = {
      conversations: 1,
      turns: 1,
      steps: 2,
      input_tokens: 200,
      cached_input_tokens: 0,
      output_tokens: 20,
      reasoning_tokens: 0,
      cost: 0.0004,
      steps_without_cost: 0,
      model_ms: expect.any(Number),
      overhead_ms: expect.any(Number),
    }
    for (const end of ends) {
      expect(end.stderr).toMatch(/^note: conversation [0-9a-f]{12}: the record after \d+ was not /)
      expect(JSON.parse(end.stdout)).toMatchObject({
        rows: [{ group: "openai-compatible/scripted", ...row }],
        total: { group: "all", ...row },
      })
    }
    expect((await stat(home.at("index.db"))).mode & 0o777).toBe(0o600)

    const since = await harness(["stats", "--since", "2999-01-01"], { home: home.path })
    expect(since.stdout).toBe("Nothing was asked of a model.\n")
  } finally {
    await home.remove()
  }
})
