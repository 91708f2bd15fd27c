import type { Manifest } from "@harness/protocol"

/** A package that ships with the command: its manifest as in its package.json (a test compares). */
export type Shipped = { name: string; manifest: Manifest }

const nothing = { kinds: [], providers: [], programs: [], policies: [] }

export const shipped: readonly Shipped[] = [
  {
    name: "@harness/programs-python",
    manifest: {
      api: 1,
      contributes: { ...nothing, programs: [{ language: "python", module: "." }] },
      capabilities: [],
    },
  },
  {
    name: "@harness/provider-openai-compatible",
    manifest: {
      api: 1,
      contributes: { ...nothing, providers: [{ name: "openai-compatible", module: "." }] },
      capabilities: ["network"],
    },
  },
  {
    name: "@harness/provider-replay",
    manifest: {
      api: 1,
      contributes: { ...nothing, providers: [{ name: "replay", module: "." }] },
      capabilities: [],
    },
  },
]
