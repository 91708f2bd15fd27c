import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type JsonObject, Limits } from "@harness/protocol"
import type {
  HostAnswer,
  PersonClock,
  ProgramEnd,
  ProgramFunction,
  ProgramSession,
} from "@harness/sdk"
import type * as z from "zod"
import { python } from "../../src/index.ts"

export type Told = { end: ProgramEnd; stdout: string; stderr: string }

export type TestSession = {
  session: ProgramSession
  /** Runs a program to its end; `calls` collects what its functions were called with. */
  run(source: string, options?: RunOptions): Promise<Told>
}

export type RunOptions = {
  signal?: AbortSignal
  call?(name: string, input: JsonObject, clock: PersonClock): Promise<HostAnswer>
  output?(stream: "stdout" | "stderr", text: string): void
}

const functions: readonly ProgramFunction[] = [
  {
    name: "echo",
    parameters: [
      { name: "value", required: true },
      { name: "times", required: false },
    ],
    description: "Gives its arguments back.",
  },
  { name: "import", parameters: [{ name: "from", required: true }], description: "Keyword names." },
]

const echo = async (name: string, input: JsonObject): Promise<HostAnswer> => ({
  ok: { name, input },
})

export async function startPython(
  cacheFolder: string,
  limits: z.input<typeof Limits> = {},
): Promise<TestSession> {
  const session = await python.start({ functions, limits: Limits.parse(limits), cacheFolder })
  return {
    session,
    async run(source, { signal, call = echo, output = () => {} } = {}) {
      const said = { stdout: "", stderr: "" }
      const end = await session.run({
        source,
        call,
        signal: signal ?? new AbortController().signal,
        output(stream, text) {
          said[stream] += text
          output(stream, text)
        },
      })
      return { end, ...said }
    },
  }
}

/** Keeps the snapshot from run to run, for tests that do not care how the interpreter starts. */
export const snapshotCache = fileURLToPath(
  new URL("../../node_modules/.cache/snapshots", import.meta.url),
)

/** A folder for caches that is removed with the test file. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "harness-python-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
