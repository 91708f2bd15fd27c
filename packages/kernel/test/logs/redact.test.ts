import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createRedactor, redactAll } from "../../src/logs/redact.ts"

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
const base64url = `${alphanumeric}-_`

const drawn = (characters: string, minLength: number, maxLength = minLength + 20) =>
  fc
    .array(fc.constantFrom(...characters), { minLength, maxLength })
    .map(letters => letters.join(""))

/** Keys as those who issue them make them; the part that is secret comes second. */
const shapes: readonly (readonly [name: string, key: fc.Arbitrary<string>])[] = [
  ["sk-…", drawn(alphanumeric, 20).map(key => `sk-${key}`)],
  ["sk-proj-…", drawn(base64url, 40).map(key => `sk-proj-${key}`)],
  ["sk-ant-…", drawn(base64url, 60).map(key => `sk-ant-api03-${key}`)],
  ["sk_live_…", drawn(alphanumeric, 24).map(key => `sk_live_${key}`)],
  ["AKIA…", drawn(upper, 16, 16).map(key => `AKIA${key}`)],
  ["ASIA…", drawn(upper, 16, 16).map(key => `ASIA${key}`)],
  ["ghp_…", drawn(alphanumeric, 36).map(key => `ghp_${key}`)],
  ["gho_…", drawn(alphanumeric, 36).map(key => `gho_${key}`)],
  ["github_pat_…", drawn(`${alphanumeric}_`, 60).map(key => `github_pat_${key}`)],
  ["glpat-…", drawn(base64url, 20).map(key => `glpat-${key}`)],
  ["xoxb-…", drawn(`${alphanumeric}-`, 24).map(key => `xoxb-${key}`)],
  ["AIza…", drawn(base64url, 35, 35).map(key => `AIza${key}`)],
  ["npm_…", drawn(alphanumeric, 36).map(key => `npm_${key}`)],
  ["hf_…", drawn(alphanumeric, 34).map(key => `hf_${key}`)],
  [
    "a JSON Web Token",
    fc
      .tuple(drawn(base64url, 20), drawn(base64url, 30), drawn(base64url, 43))
      .map(([head, claims, signature]) => `eyJ${head}.eyJ${claims}.${signature}`),
  ],
  [
    "a private key",
    fc
      .tuple(fc.constantFrom("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "), drawn(alphanumeric, 64))
      .map(
        ([kind, key]) =>
          `-----BEGIN ${kind}PRIVATE KEY-----\n${key}\n-----END ${kind}PRIVATE KEY-----`,
      ),
  ],
]

/** Text around a key that does not itself make the key longer. */
const around = fc
  .tuple(fc.string(), fc.constantFrom("", " ", "\n", '"', "'", ":", "=", "(", ",", "/", "é", "🔑"))
  .map(([text, edge]) => ({ before: `${text}${edge}`, after: `${edge}${text}` }))

describe("a key is gone wherever it stands in a text", () => {
  test.each(shapes)("%s", (_name, key) => {
    const redact = createRedactor({})
    fc.assert(
      fc.property(key, around, around, (planted, { before }, { after }) => {
        fc.pre(!/[A-Za-z]$/.test(before))
        const kept = redact(before + planted + after)
        expect(kept).not.toContain(planted)
        expect(kept).not.toContain(planted.slice(-12))
        expect(kept).toContain("[redacted]")
      }),
    )
  })
})

test("a key that holds what looks like a part of another one is gone whole", () => {
  const token = `eyJ${"A".repeat(20)}.eyJhf_${"A".repeat(30)}.${"A".repeat(43)}`

  expect(createRedactor({})(`token ${token}!`)).toBe("token [redacted]!")
})

test("a value of a variable that is named as a secret is gone, as it is and as it is written elsewhere", () => {
  const names = fc.constantFrom("OPENAI_API_KEY", "npm_token", "MY_SECRET", "DB_PASSWORD", "KEY")
  const value = fc.string({ minLength: 8 }).filter(text => !"[redacted]".includes(text))

  fc.assert(
    fc.property(names, value, fc.string(), fc.string(), (name, secret, before, after) => {
      const redact = createRedactor({ [name]: secret, PATH: "/usr/bin", HOME_URL: "public-value" })
      expect(redact(`${before}${secret}${after}`)).not.toContain(secret)
      const written = JSON.stringify(secret).slice(1, -1)
      expect(redact(`{"key":"${written}"}`)).not.toContain(written)
      expect(redact(Buffer.from(secret).toString("base64"))).toBe("[redacted]")
    }),
  )
})

test("what identifies nobody stays as it is", () => {
  const redact = createRedactor({ API_KEY: "short", PATH: "/usr/local/bin", TOKEN: "" })
  const texts = [
    "openai-compatible did not answer for qwen3-coder: it said 503.",
    "The worker of project did not start: exit 1.",
    "https://api.example.com/v1/chat?model=a",
    "git@github.com:acme/shop.git",
    "task-force and risk-management are words",
    "max_tokens: 4096; short /usr/local/bin",
    "a3f5c0de".repeat(8),
  ]
  expect(texts.map(redact)).toEqual(texts)
})

test.each([
  ["Authorization: Bearer abcdef0123456789", "Authorization: Bearer [redacted]"],
  ["basic dXNlcjpwYXNzd29yZA==", "basic [redacted]"],
  ["postgres://me:hunter2@db.internal/x", "postgres://[redacted]@db.internal/x"],
  ["https://tokenonly@github.com/a", "https://[redacted]@github.com/a"],
  ["https://me:p%40ss:w@rd@host/", "https://[redacted]@host/"],
  ["password=correct-horse&x=1", "password=[redacted]&x=1"],
  ['{"x-api-key": "0123456789"}', '{"x-api-key": "[redacted]"}'],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIEcut off", "[redacted]"],
])("%j becomes %j", (text, kept) => {
  expect(createRedactor({})(text)).toBe(kept)
})

test("every string of a value is looked at, keys too", () => {
  const redact = createRedactor({ X_TOKEN: "hush-hush" })
  const value = { a: ["hush-hush", 1, null, { "hush-hush": true, b: "say hush-hush" }] }
  expect(redactAll(value, redact)).toEqual({
    a: ["[redacted]", 1, null, { "[redacted]": true, b: "say [redacted]" }],
  })
})

test("a text made to be slow takes time by its length alone", () => {
  const redact = createRedactor({})
  const bad = [
    "eyJ-",
    "sk-",
    "https://",
    "password:",
    "-----BEGIN PRIVATE KEY-----",
    "a://b",
    "Bearer ",
  ]
  const texts = bad.map(piece => piece.repeat(Math.ceil(200_000 / piece.length)))
  const startedAt = performance.now()
  for (const text of texts) redact(text)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
