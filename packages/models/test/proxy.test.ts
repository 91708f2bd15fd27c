import { toFailure } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { proxyFor, proxySecrets } from "../src/proxy.ts"

const proxied = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.shown
const proxy = "http://proxy.example:3128"

test.each([
  ["http://models.example/v1", { HTTP_PROXY: proxy }],
  ["http://models.example/v1", { http_proxy: proxy }],
  ["https://models.example/v1", { HTTPS_PROXY: proxy }],
  ["https://models.example/v1", { https_proxy: proxy }],
  ["http://models.example/v1", { ALL_PROXY: proxy }],
  ["https://models.example/v1", { all_proxy: proxy }],
  ["https://models.example/v1", { HTTPS_PROXY: "", ALL_PROXY: proxy }],
  ["https://models.example/v1", { https_proxy: proxy, HTTPS_PROXY: "http://other.example" }],
  ["https://models.example/v1", { HTTPS_PROXY: proxy, ALL_PROXY: "http://other.example" }],
  ["https://models.example/v1", { HTTPS_PROXY: "proxy.example:3128" }],
])("%s with %j is asked through the proxy", (url, env) => {
  expect(proxied(url, env)).toBe(proxy)
})

test.each([
  ["http://models.example/v1", {}],
  ["http://models.example/v1", { HTTPS_PROXY: proxy }],
  ["https://models.example/v1", { HTTP_PROXY: proxy }],
  ["https://models.example/v1", { HTTPS_PROXY: "" }],
])("%s with %j is asked directly", (url, env) => {
  expect(proxied(url, env)).toBeUndefined()
})

test.each([
  "http://localhost:11434/v1",
  "http://LOCALHOST/v1",
  "http://ollama.localhost/v1",
  "http://127.0.0.1:8000/v1",
  "http://127.255.0.9/v1",
  "http://127.1/v1",
  "http://0.0.0.0:11434/v1",
  "http://[::1]:8000/v1",
  "http://[::ffff:127.0.0.1]/v1",
  "https://localhost/v1",
])("%s is this machine: no proxy is asked, not even a broken one", url => {
  const broken = { HTTP_PROXY: "socks5://u:p@x", HTTPS_PROXY: "socks5://u:p@x", ALL_PROXY: "?" }
  expect(proxied(url, broken)).toBeUndefined()
})

test.each([
  "http://localhost.example/v1",
  "http://127.0.0.1.example/v1",
  "http://notlocalhost/v1",
  "http://128.0.0.1/v1",
  "http://[::2]/v1",
])("%s is not this machine", url => {
  expect(proxied(url, { HTTP_PROXY: proxy })).toBe(proxy)
})

const exempt: [noProxy: string, url: string, direct: boolean][] = [
  ["*", "http://models.example/v1", true],
  ["models.example", "http://models.example/v1", true],
  ["MODELS.example", "http://models.EXAMPLE/v1", true],
  ["models.example", "http://models.example./v1", true],
  ["models.example", "http://eu.models.example/v1", true],
  ["models.example", "http://mymodels.example/v1", false],
  ["models.example", "http://models.example.org/v1", false],
  [".example", "http://models.example/v1", true],
  ["*.example", "http://models.example/v1", true],
  [".example", "http://notexample/v1", false],
  ["models.example:80", "http://models.example/v1", true],
  ["models.example:443", "http://models.example/v1", false],
  ["models.example:8080", "http://models.example:8080/v1", true],
  ["a, models.example ,b", "http://models.example/v1", true],
  ["a models.example\tb", "http://models.example/v1", true],
  ["", "http://models.example/v1", false],
  [" , ,", "http://models.example/v1", false],
  [".", "http://models.example/v1", false],
  ["10.1.2.3", "http://10.1.2.3/v1", true],
  ["0.1.2.3", "http://10.1.2.3/v1", false],
  ["2.3", "http://10.1.2.3/v1", false],
  ["10.0.0.0/8", "http://10.1.2.3/v1", true],
  ["10.0.0.0/16", "http://10.1.2.3/v1", false],
  ["10.0.0.0/99", "http://10.1.2.3/v1", false],
  ["10.0.0.0/x", "http://10.1.2.3/v1", false],
  ["10.0.0.0/8", "http://models.example/v1", false],
  ["fd00::1", "http://[fd00::1]/v1", true],
  ["[fd00::1]:80", "http://[fd00::1]/v1", true],
  ["[fd00::1]:81", "http://[fd00::1]/v1", false],
  ["fd00::/8", "http://[fd00::1]/v1", true],
]
test.each(exempt)("NO_PROXY=%j exempts %s: %s", (noProxy, url, direct) => {
  for (const name of ["NO_PROXY", "no_proxy"]) {
    expect(proxied(url, { HTTP_PROXY: proxy, [name]: noProxy }) === undefined).toBe(direct)
  }
})

test.each([
  [
    "socks5://user:hidden@proxy.example:1080",
    "socks5://proxy.example:1080",
    "is not an http or https proxy",
  ],
  ["://hidden", "(hidden)", "is not an http or https proxy"],
  [
    "http://user:hid%den@proxy.example",
    "http://proxy.example",
    "has a % in its user name or password that stands for nothing",
  ],
])("the proxy %s is refused without what is secret in it", (value, shown, reason) => {
  let thrown: unknown
  try {
    proxied("https://models.example/v1", { HTTPS_PROXY: value })
  } catch (error) {
    thrown = error
  }
  expect(toFailure(thrown)).toMatchObject({
    code: "option_invalid",
    message: `HTTPS_PROXY ${shown}: ${reason}.`,
    exit: 2,
  })
})

test("what a proxy is logged in with is told as a secret in every form, and is not shown", () => {
  const env = { HTTPS_PROXY: "http://user:p%40ss@proxy.example:3128" }
  const found = proxyFor(new URL("https://models.example"), env)
  if (found === undefined) throw new Error("no proxy")

  expect(found.shown).toBe(proxy)
  expect(proxySecrets(found)).toEqual(["p%40ss", "p@ss", btoa("user:p@ss")])
})

test("no text in NO_PROXY is an error, and none exempts a host that it does not name", () => {
  const property = fc.property(fc.string({ unit: fc.constantFrom(..."m*.:,/[]1 x%") }), noProxy => {
    const direct = proxied("http://models.example/v1", { HTTP_PROXY: proxy, NO_PROXY: noProxy })
    expect(direct === undefined).toBe(noProxy.split(/[\s,]+/).includes("*"))
  })
  fc.assert(property)
})
