import { chmod, readdir, readFile, stat } from "node:fs/promises"
import { describe, expect, test } from "vitest"
import { keysFile } from "../../../src/keys/keys-file.ts"
import type { KeyStore } from "../../../src/keys/store.ts"
import { temporaryFolder } from "../../support/temporary.ts"

/** What holds for every place that keeps keys; `open` makes one over a home. */
export function keyStoreConformance(name: string, open: (home: string) => Promise<KeyStore>): void {
  const inNewHome = async () => {
    const home = await temporaryFolder()
    return { home, store: await open(home) }
  }

  describe(name, () => {
    test("what was never kept is not there, and the question leaves no file", async () => {
      const { home, store } = await inNewHome()

      expect(await store.get("anthropic")).toEqual({ status: "none" })
      expect(await store.remove("anthropic")).toEqual({ status: "none" })
      expect(await readdir(home)).toEqual([])
    })

    test("a key comes back as it was given, to another store over the same home too", async () => {
      const { home, store } = await inNewHome()
      const key = `sk-"\\'$(x)\`~!@#%^&*=+/${"k".repeat(2_000)}`

      expect(await store.put("anthropic", key)).toEqual({ status: "kept" })
      expect(await store.get("anthropic")).toEqual({ status: "found", key })
      expect(await (await open(home)).get("anthropic")).toEqual({ status: "found", key })
    })

    test("a second key takes the place of the first, and other providers keep theirs", async () => {
      const { store } = await inNewHome()
      await store.put("anthropic", "first")
      await store.put("google", "other")
      await store.put("anthropic", "second")

      expect(await store.get("anthropic")).toEqual({ status: "found", key: "second" })
      expect(await store.get("google")).toEqual({ status: "found", key: "other" })
    })

    test("a removed key is gone, once, and the others are not", async () => {
      const { store } = await inNewHome()
      await store.put("anthropic", "one")
      await store.put("google", "other")

      expect(await store.remove("anthropic")).toEqual({ status: "removed" })
      expect(await store.remove("anthropic")).toEqual({ status: "none" })
      expect(await store.get("anthropic")).toEqual({ status: "none" })
      expect(await store.get("google")).toEqual({ status: "found", key: "other" })
    })

    test("what it leaves in the home is one file, for its owner alone", async () => {
      const { home, store } = await inNewHome()
      await store.put("anthropic", "one")

      expect(await readdir(home)).toEqual(["keys.json"])
      expect((await stat(keysFile(home))).mode & 0o777).toBe(0o600)
    })

    test("names that objects have anyway are names like others", async () => {
      const { store } = await inNewHome()

      expect(await store.get("constructor")).toEqual({ status: "none" })
      await store.put("constructor", "one")
      expect(await store.get("constructor")).toEqual({ status: "found", key: "one" })
    })

    test("keys that are kept at the same time are all kept", async () => {
      const { home, store } = await inNewHome()
      const names = ["a", "b"]
      await Promise.all(names.map(async each => (await open(home)).put(each, `key of ${each}`)))

      const found = await Promise.all(names.map(each => store.get(each)))
      expect(found).toEqual(names.map(each => ({ status: "found", key: `key of ${each}` })))
    })

    test("a file that others may use too is refused before anything is kept", async () => {
      const { home, store } = await inNewHome()
      await store.put("anthropic", "one")
      await chmod(keysFile(home), 0o640)
      const before = await readFile(keysFile(home), "utf8")

      for (const call of [
        () => store.get("anthropic"),
        () => store.put("google", "other"),
        () => store.remove("anthropic"),
      ]) {
        await expect(call()).rejects.toMatchObject({
          code: "keys_unusable",
          details: { file: keysFile(home), reason: "others may use it too (mode 0640)" },
        })
      }
      expect(await readFile(keysFile(home), "utf8")).toBe(before)
    })
  })
}
