import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { inject } from "vitest"
import { run } from "../../scripts/support/children.mjs"

/** A folder of somebody who has our packages by their tarballs, with a HOME that was empty. */
export type Consumer = {
  readonly path: string
  write(file: string, text: string): Promise<void>
  /** Throws with what it printed unless it ends well. */
  must(command: string, args: readonly string[], env?: Record<string, string>): Promise<string>
  remove(): Promise<void>
}

export async function newConsumer(): Promise<Consumer> {
  const path = await mkdtemp(join(tmpdir(), "harness-consumer-"))
  const home = join(path, "home")
  await mkdir(home)
  const isolated = { ...process.env, HOME: home, USERPROFILE: home, npm_config_prefix: path }

  return {
    path,
    write: async (file, text) => {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    },
    must: async (command, args, env = {}) => {
      const options = { cwd: path, env: { ...isolated, ...env }, captured: true }
      const { code, output } = await run(command, [...args], options)
      if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`)
      return output
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

export function tarball(name: string): string {
  const found = inject("tarballs")[name]
  if (found === undefined) throw new Error(`${name} was not packed`)
  return found
}
