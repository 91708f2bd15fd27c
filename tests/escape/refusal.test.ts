// Where commands cannot be contained, as in a container without user namespaces, none runs.
import { existsSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Homes, prepareHomes } from "../e2e/support/homes.ts"
import { startJob } from "../e2e/support/job.ts"
import { runCli } from "../support/run-cli.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

/** A place in which no user namespace can be made, as in a container. */
const withoutNamespaces = [
  ...["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"],
]

test("a run ends with exit code 4 and the reason, and nothing ran", async () => {
  const job = await startJob({
    home: await homes.fresh(),
    script: [{ calls: [{ tool: "bash", arguments: { command: "touch ran" } }] }],
    under: withoutNamespaces,
  })

  const { exitCode, stdout, stderr } = await job.run("-p", "--sandbox", "os")

  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" })
  expect(stderr).toMatch(
    /Commands cannot be contained here: no user namespace can be made here \(bwrap: .+\)\.\n/,
  )
  expect(stderr).toContain("sudo sysctl -w user.max_user_namespaces=")
  expect(existsSync(job.project.at("ran"))).toBe(false)
})

test("harness doctor says the same, with the same exit code", async () => {
  const home = await homes.fresh()

  const { exitCode, stdout } = await runCli(["doctor"], {
    env: { HARNESS_HOME: home.path },
    under: withoutNamespaces,
  })

  expect(exitCode).toBe(4)
  expect(stdout).toMatch(/bubblewrap does not work: no user namespace can be made here/)
})
