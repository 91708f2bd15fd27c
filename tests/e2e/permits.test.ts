// What needs leave beyond its effect, through the whole command: the network for one command, and files
// that hold secrets or make the host run code.
import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { startJob } from "./support/job.ts"
import { ofType, readOnlyLog } from "./support/log.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

const files = {
  "fetch.mjs": `const reply = await fetch(process.argv[2]).catch(error => error)
console.log(reply.status ?? reply.cause.code)
`,
  ".env": "TOKEN=1\n",
}

/** A server of the host that answers everything with 204. */
async function hostServer(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(204).end())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("it listens on no port")
  return `http://127.0.0.1:${address.port}/`
}

test.for(["tools", "programs"])(
  "in the style %s one command has the network by a rule of the user, and no other has",
  async style => {
    const command = `node fetch.mjs ${await hostServer()}`
    const online = { command, network: "to ask the server" }
    const inputs = [{ command }, online, { command: `${command} again`, network: "" }]
    const calls =
      style === "tools"
        ? inputs.map(input => ({ tool: "bash", arguments: input }))
        : [{ tool: "run_program", arguments: { language: "python", source: programOf(inputs) } }]
    const home = await homes.fresh()
    const rules = [{ verdict: "allow", permit: "network", command: "node fetch.mjs" }]
    await home.write({ "config.jsonc": JSON.stringify({ rules }) })

    const job = await startJob({ home, files, script: [{ calls }, { text: "Done." }] })
    const { exitCode } = await job.run("-p", "--style", style, "--sandbox", "os")
    expect(exitCode).toBe(0)

    const { events } = await readOnlyLog(home)
    const ended = ofType(events, "action_ended").map(({ result, receipt }) => ({
      output: result.output,
      network: receipt.process?.containment?.network,
    }))
    expect(ended).toEqual([
      { output: "ECONNREFUSED\n", network: false },
      { output: "204\n", network: true },
    ])
    const started = ofType(events, "action_started").map(({ permits }) => permits)
    expect(started).toEqual([undefined, ["network"]])
  },
)

test("without a rule and a person the network, a secret and a control file are denied, with a way", async () => {
  const calls = [
    { tool: "bash", arguments: { command: "npm ci", network: "to install" } },
    { tool: "read", arguments: { path: ".env" } },
    { tool: "write", arguments: { path: ".git/hooks/pre-commit", text: "#!/bin/sh\n" } },
  ]
  const home = await homes.fresh()
  const job = await startJob({ home, files, script: [{ calls }, { text: "Done." }] })
  const { exitCode } = await job.run("-p", "--sandbox", "os")
  expect(exitCode).toBe(0)

  const denied = (job.server.requests[1]?.results ?? []).map(text => JSON.parse(text))
  expect(denied.map(({ status, by, reason }) => [status, by, /\{.*\}$/.exec(reason)?.[0]])).toEqual(
    [
      ["denied", "permit:network", '{"verdict":"allow","permit":"network","command":"npm ci"}'],
      ["denied", "permit:secret_file", '{"verdict":"allow","permit":"secret_file","path":".env"}'],
      [
        "denied",
        "permit:control_file",
        '{"verdict":"allow","permit":"control_file","path":".git/hooks/pre-commit"}',
      ],
    ],
  )
  expect(Object.keys(await job.project.files())).toEqual([".env", "fetch.mjs"])
})

function programOf(inputs: readonly object[]): string {
  const lines = inputs.map(input => `  print(run_command(**${JSON.stringify(input)}))`)
  return `try:\n${lines.join("\n")}\nexcept TypeError as wrong:\n  print(wrong)\n`
}
