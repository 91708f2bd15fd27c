import { failure } from "@harness/protocol"
import { defineProvider } from "@harness/sdk"

/** Refuses its own option `url`, without knowing where in the file it stands. */
export const picky = defineProvider({
  name: "picky",
  async create() {
    const key = "providers.picky.url"
    throw failure("config_invalid", { file: "config.jsonc", line: "?", key, reason: "is no URL" })
  },
})
