import { mkdir } from "node:fs/promises"
import { expect, test } from "vitest"
import { harness } from "./support/harness.ts"
import { linkedHome } from "./support/linked-home.ts"

test("what was allowed for a project is listed, and revoked by its id", async () => {
  const home = await linkedHome()
  try {
    const folder = home.at("project")
    await mkdir(folder)
    const run = (...args: string[]) => harness(args, { home: home.path, cwd: folder })
    expect(await run("approvals", "list")).toMatchObject({
      exitCode: 0,
      stdout: "nothing is allowed for good\n",
    })

    const rules = [
      { verdict: "allow", command: "npm test" },
      { verdict: "allow", effect: "write", path: "src/**" },
    ]
    const approvals = rules.map((rule, at) => ({
      id: `a${at + 1}`,
      rule,
      at: "2026-11-30T10:00:00.000Z",
      conversation: "4b825dc642cb",
    }))
    await home.write({
      "folders.json": JSON.stringify({ version: 1, keys: { [folder]: "folder-1" }, aliases: {} }),
      "projects/folder-1/approvals.json": JSON.stringify({ version: 1, approvals }),
    })
    expect((await run("approvals", "list")).stdout).toBe(
      [
        "a1  allow the command npm test …  2026-11-30  conversation 4b825dc642cb",
        "a2  allow write src/**            2026-11-30  conversation 4b825dc642cb\n",
      ].join("\n"),
    )
    expect(await run("approvals", "revoke", "a1")).toMatchObject({
      exitCode: 0,
      stdout: "revoked allow the command npm test …\n",
    })
    const { stdout } = await run("approvals", "list", "--json")
    expect(JSON.parse(stdout)).toEqual(approvals.slice(1))
    const again = await run("approvals", "revoke", "a1")
    expect(again.exitCode).toBe(2)
    expect(again.stderr).toContain("approval_unknown")
  } finally {
    await home.remove()
  }
})
