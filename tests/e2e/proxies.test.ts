// Servers behind a proxy, and with certificates of a company's own authority, as a real process meets them.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { startProxy } from "../support/proxy.ts"
import { startScriptedServer } from "../support/scripted-server.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { startTlsFront } from "../support/tls-front.ts"
import { type Homes, prepareHomes } from "./support/homes.ts"
import { startJob } from "./support/job.ts"

let homes: Homes
beforeAll(async () => {
  homes = await prepareHomes()
})
afterAll(() => homes.remove())

/** A run whose server has TLS in front of it; the proxy finds it by any name. */
async function behindTls(variables: (places: Places) => Record<string, string>) {
  const server = await startScriptedServer({ script: [{ text: "Done." }] })
  const port = Number(new URL(server.baseUrl).port)
  const front = await startTlsFront({ port, names: ["models.example", "localhost"] })
  const proxy = await startProxy({ port: front.port })
  const files = await temporaryFolder({ "authority.pem": front.authority })
  onTestFinished(async () => {
    await Promise.all([server.close(), front.close(), proxy.close(), files.remove()])
  })

  const places = { proxy: `http://${proxy.host}`, port: front.port, ca: files.at("authority.pem") }
  const job = await startJob({ home: await homes.fresh(), script: [], env: variables(places) })
  return { server, proxy, run: () => job.run("-p") }
}

type Places = { proxy: string; port: number; ca: string }

test("a server behind a proxy, with a certificate of an authority in NODE_EXTRA_CA_CERTS, is asked", async () => {
  const { server, proxy, run } = await behindTls(places => ({
    OPENAI_BASE_URL: "https://models.example/v1",
    HTTPS_PROXY: places.proxy,
    NODE_EXTRA_CA_CERTS: places.ca,
  }))

  expect(await run()).toMatchObject({ exitCode: 0, stdout: "Done.\n" })
  expect(proxy.requests.map(({ request }) => request)).toEqual(["CONNECT models.example:443"])
  expect(server.requests).toHaveLength(1)
})

test("without NODE_EXTRA_CA_CERTS that certificate ends the run in one line that names it", async () => {
  const { server, run } = await behindTls(places => ({
    OPENAI_BASE_URL: "https://models.example/v1",
    HTTPS_PROXY: places.proxy,
  }))
  const { exitCode, stderr } = await run()

  expect(exitCode).toBe(1)
  expect(stderr).toMatch(
    /^error provider_failed: .* https:\/\/models\.example\/v1\/chat\/completions could not be trusted: .*\nnext: .*NODE_EXTRA_CA_CERTS=<file>.*\n$/,
  )
  expect(server.requests).toEqual([])
})

test("a server on this machine is asked past a proxy that is not there", async () => {
  const { server, run } = await behindTls(places => ({
    OPENAI_BASE_URL: `https://localhost:${places.port}/v1`,
    HTTPS_PROXY: "http://127.0.0.1:9",
    ALL_PROXY: "http://127.0.0.1:9",
    NODE_EXTRA_CA_CERTS: places.ca,
  }))

  expect(await run()).toMatchObject({ exitCode: 0, stdout: "Done.\n" })
  expect(server.requests).toHaveLength(1)
})
