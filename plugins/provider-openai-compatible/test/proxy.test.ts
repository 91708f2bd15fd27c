import { toFailure } from "@harness/protocol"
import { expect, onTestFinished, test } from "vitest"
import { startProxy } from "../../../tests/support/proxy.ts"
import { startScriptedServer } from "../../../tests/support/scripted-server.ts"
import { startTlsFront } from "../../../tests/support/tls-front.ts"
import { openAICompatible } from "../src/index.ts"
import { ask, go, model, partsOf } from "./open-provider.ts"

/** A server that is only to be found through a proxy, plain and with TLS, and the proxies. */
async function behindProxies(options: { wants?: string; answers?: number } = {}) {
  const server = await startScriptedServer({ script: [{ text: "Hello." }, { text: "Again." }] })
  const port = Number(new URL(server.baseUrl).port)
  const front = await startTlsFront({ port, names: ["models.example"] })
  const plain = await startProxy({ port, ...options })
  const tunnel = await startProxy({ port: front.port, ...options })
  onTestFinished(async () => {
    await Promise.all([server, front, plain, tunnel].map(each => each.close()))
  })
  return { server, plain, tunnel }
}

async function provider(url: string, env: Record<string, string>) {
  const all = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-secret-1", ...env }
  return openAICompatible.create({ model, env: all, config: { retry_seconds: 0 } })
}

/** What the user is told when a request fails. */
async function failed(url: string, env: Record<string, string>) {
  const asked = provider(url, env).then(made => ask(made, [go]))
  return toFailure(
    await asked.then(
      () => "it did not fail",
      (error: unknown) => error,
    ),
  )
}

test("a server of another machine is asked through the proxy, with its own key", async () => {
  const { server, plain } = await behindProxies()
  const made = await provider("http://models.example/v1", { HTTP_PROXY: `http://${plain.host}` })

  expect(partsOf(await ask(made, [go]))).toEqual([{ type: "text", text: "Hello." }])
  expect(plain.requests.map(({ request }) => request)).toEqual([
    "POST http://models.example/v1/chat/completions",
  ])
  expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-secret-1")
})

test("a server on this machine is asked directly, whatever proxy is named", async () => {
  const { server, plain } = await behindProxies()
  const env = { HTTP_PROXY: `http://${plain.host}`, ALL_PROXY: `http://${plain.host}` }
  const made = await provider(server.baseUrl, env)

  expect(partsOf(await ask(made, [go]))).toEqual([{ type: "text", text: "Hello." }])
  expect(plain.requests).toEqual([])
})

test("a certificate of an authority that nobody knows is told with the variable that makes it known", async () => {
  const { server, tunnel } = await behindProxies()
  const env = { HTTPS_PROXY: `http://${tunnel.host}` }

  expect(await failed("https://models.example/v1", env)).toMatchObject({
    code: "provider_failed",
    details: {
      reason:
        "https://models.example/v1/chat/completions could not be trusted: unable to verify the first certificate",
      hint: "If its authority is your own, name a file with the authority's certificate (PEM): NODE_EXTRA_CA_CERTS=<file>; where the system knows it: NODE_USE_SYSTEM_CA=1.",
      retryable: false,
      unbilled: true,
    },
  })
  expect(tunnel.requests).toHaveLength(1)
  expect(server.requests).toEqual([])
})

test.each(["http", "https"])(
  "a proxy for %s that is not there is named without what it is logged in with",
  async protocol => {
    const variable = `${protocol.toUpperCase()}_PROXY`
    const env = { [variable]: "http://user:hidden-word@127.0.0.1:9" }
    const failure = await failed(`${protocol}://models.example/v1`, env)

    expect(failure).toMatchObject({
      code: "provider_failed",
      details: {
        reason: `${protocol}://models.example/v1/chat/completions could not be reached through the proxy http://127.0.0.1:9 (connect ECONNREFUSED 127.0.0.1:9)`,
        hint: `Check ${variable}; hosts in NO_PROXY are asked without it.`,
        retryable: false,
        unbilled: true,
      },
    })
    expect(JSON.stringify(failure)).not.toContain("hidden-word")
  },
)

const refusals = [
  { login: "", hint: "It wants a user name and a password: %s=http://<user>:<password>@%s." },
  { login: "user:hidden-word@", hint: "It does not accept the user name and the password in %s." },
]
test.each(
  refusals.flatMap(refusal => ["http", "https"].map(protocol => ({ ...refusal, protocol }))),
)("a proxy for $protocol with the login '$login' that wants another says so", async refusal => {
  const { login, hint, protocol } = refusal
  const { server, plain, tunnel } = await behindProxies({ wants: "Basic another" })
  const { host } = protocol === "http" ? plain : tunnel
  const variable = `${protocol.toUpperCase()}_PROXY`
  const failure = await failed(`${protocol}://models.example/v1`, {
    [variable]: `http://${login}${host}`,
  })

  expect(failure.details).toMatchObject({
    reason: expect.stringMatching(
      new RegExp(`could not be reached through the proxy http://${host} \\(it answered 407 \\w`),
    ),
    hint: hint.replace("%s", variable).replace("%s", host),
    retryable: false,
    unbilled: true,
  })
  expect(JSON.stringify(failure)).not.toContain("hidden-word")
  expect(server.requests).toEqual([])
})

test("a proxy that cannot find the server is named with its answer", async () => {
  const { tunnel } = await behindProxies({ answers: 502 })

  expect(
    await failed("https://models.example/v1", { HTTPS_PROXY: `http://${tunnel.host}` }),
  ).toMatchObject({
    details: {
      reason: `https://models.example/v1/chat/completions could not be reached through the proxy http://${tunnel.host} (it answered 502 Refused)`,
    },
  })
})

test("a proxy that repeats its login in an answer does not get it into the failure", async () => {
  const { plain } = await behindProxies({ answers: 403 })
  const failure = await failed("http://models.example/v1", {
    HTTP_PROXY: `http://user:hidden-word@${plain.host}`,
  })

  expect(failure.message).toContain("HTTP 403")
  expect(JSON.stringify(failure)).not.toMatch(/hidden-word|dXNlcjpoaWRkZW4td29yZA/)
})

test.each(["socks5://user:hidden-word@127.0.0.1:9", "http://user:hidden%word@127.0.0.1:9"])(
  "the proxy %s is refused before anything is asked",
  async value => {
    const failure = await failed("https://models.example/v1", { ALL_PROXY: value })

    expect(failure).toMatchObject({ code: "option_invalid", exit: 2 })
    expect(failure.message).toMatch(/^ALL_PROXY \w+:\/\/127\.0\.0\.1:9: .+\.$/)
    expect(JSON.stringify(failure)).not.toContain("hidden")
  },
)
