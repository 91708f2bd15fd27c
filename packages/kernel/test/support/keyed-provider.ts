import { defineProvider } from "@harness/sdk"

/** Shows what it was given to make a model, as its notice. */
export const keyed = defineProvider({
  name: "keyed",
  keyVariables: ["KEYED_API_KEY", "KEYED_TOKEN"],
  async create({ env, keyStored }) {
    return { notice: JSON.stringify({ env, keyStored }), async *stream() {} }
  },
})

/** Takes no key. */
export const keyless = defineProvider({
  name: "keyless",
  async create() {
    return { async *stream() {} }
  },
})
