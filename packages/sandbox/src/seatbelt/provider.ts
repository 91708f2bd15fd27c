import { execFile } from "node:child_process"
import { release } from "node:os"
import { promisify } from "node:util"
import type { Probe, SandboxProvider } from "../provider.ts"
import { seatbeltProfile } from "./profile.ts"

/** Where macOS keeps it; one of PATH could be anybody's. */
const PROGRAM = "/usr/bin/sandbox-exec"

/** A trial that hangs does not hang harness. */
const TRIAL_MS = 10_000

/**
 * Contains commands of macOS with sandbox-exec. The command's environment is the wrapper's: the
 * system takes variables that load libraries away from its own programs.
 */
export function seatbelt(): SandboxProvider {
  return {
    name: "seatbelt",
    probe,
    wrap: (argv, policy) => ({
      argv: [PROGRAM, "-p", seatbeltProfile(policy), ...argv],
      env: policy.env,
      cwd: policy.cwd,
      descriptors: [],
      reports: false,
    }),
    started: () => ({ group: undefined, ended: true }),
  }
}

async function probe(): Promise<Probe> {
  try {
    const profile = "(version 1) (deny default) (allow process-exec*) (allow file-read*)"
    await promisify(execFile)(PROGRAM, ["-p", profile, "/usr/bin/true"], { timeout: TRIAL_MS })
    return { status: "works", mechanism: "seatbelt", version: release() }
  } catch (error) {
    const said = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error)
    const nested = /sandbox_apply|Operation not permitted/.test(said ?? "")
    return {
      status: "broken",
      mechanism: "seatbelt",
      reason: nested
        ? "harness runs in a sandbox already, and macOS nests none"
        : `sandbox-exec did not work: ${said}`,
      hint: nested
        ? "Start harness outside that sandbox, or use --sandbox off inside it."
        : "Repair that, or use --sandbox off to run commands with your own authority.",
    }
  }
}
