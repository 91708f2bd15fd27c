import { isAbsolute } from "node:path"
import type { Limits } from "@harness/protocol"
import type { Files, ProcessSpec } from "@harness/sdk"
import { argvOf } from "./argv.ts"
import { commandEnvironment } from "./environment.ts"
import type { Command } from "./spawn.ts"

export type CommandOptions = {
  files: Files
  limits: Limits
  /** What every command inherits, the tag included. */
  environment: Readonly<Record<string, string>>
  platform: NodeJS.Platform
}

/** What is to be started, or why it cannot be. */
export async function commandOf(
  spec: ProcessSpec,
  { files, limits, environment, platform }: CommandOptions,
): Promise<(Command & { timeoutSeconds: number }) | { reason: string }> {
  const { timeoutSeconds = limits.command_seconds } = spec
  if (!(timeoutSeconds > 0 && timeoutSeconds <= limits.command_seconds_max)) {
    return {
      reason: `a deadline of ${timeoutSeconds} s is not above 0 and at most ${limits.command_seconds_max} s`,
    }
  }
  const argv = argvOf(spec, platform)
  if (argv === undefined) return { reason: "it needs an argv or a shell line, and not both" }

  const cwd = await files.locate(spec.cwd ?? ".")
  if (cwd.status === "refused") return { reason: `cwd: ${cwd.message}` }
  if (cwd.type !== "folder") return { reason: `cwd: ${cwd.path} is not a folder.` }
  const env = commandEnvironment(environment, spec.env ?? {})
  return { argv, tool: toolOf(spec), cwd: cwd.absolute, env, timeoutSeconds }
}

/** A tool of an action comes with its package, which HARNESS_HOME holds: hidden from commands. */
function toolOf({ scratch, argv: [program = ""] = [] }: ProcessSpec): string | undefined {
  return scratch === true && isAbsolute(program) ? program : undefined
}
