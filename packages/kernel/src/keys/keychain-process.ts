// A process of its own: asks the system's keychain for one thing, `put`, `get` or `remove` and an account.
// A key comes by standard input, and the answer goes as JSON to standard output.
import { text } from "node:stream/consumers"

const noSecretService = "no Secret Service answers in this session"

const [question, account = ""] = process.argv.slice(2)
const key = await text(process.stdin)

process.stdout.write(JSON.stringify(await answer()))

async function answer() {
  try {
    // Here and not above: where there is no binding for this system, loading it throws.
    const { Entry } = await import("@napi-rs/keyring")
    // Without this Linux's kernel would keep it instead, until the machine starts again.
    const entry = new Entry("harness", account, { linux: { store: "secret-service" } })

    switch (question) {
      case "put":
        entry.setPassword(key)
        return { status: "done" }
      case "get": {
        const found = entry.getPassword()
        return found === null ? { status: "none" } : { status: "found", key: found }
      }
      default:
        return { status: entry.deletePassword() ? "done" : "none" }
    }
  } catch (error) {
    return { status: "unavailable", reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (process.platform === "linux" && /\bDBus error\b/.test(message)) return noSecretService
  return message.replaceAll(/\s+/g, " ").trim().slice(0, 200)
}
