import type { Command } from "commander"
import { age, notEmpty, positiveInteger } from "./arguments.ts"
import type { UndoOptions } from "./commands/undo.ts"
import type { Invocation } from "./invocation.ts"

/** Commands about conversations that exist. */
export const conversationCommandNames = ["audit", "diff", "undo", "redact", "gc"]

const which = "its id, the beginning of it, or last"

/** Adds them to the parser; each tells `ended` its exit code. */
export function conversationCommands(
  program: Command,
  invocation: Invocation,
  ended: (code: number) => void,
): void {
  program
    .command("audit")
    .description("check all that a conversation keeps: log, evidence, receipts, outputs")
    .argument("<conversation>", which, notEmpty)
    .option("--json", "print the report as JSON")
    .action(async (conversation: string, options: { json?: true }) => {
      const { audit } = await import("./commands/audit.ts")
      ended(await audit(conversation, options, invocation))
    })

  program
    .command("diff")
    .description("print what a conversation did to files")
    .argument("<conversation>", which, notEmpty)
    .option("--turn <number>", "one turn alone", positiveInteger)
    .option("--json", "print it as JSON")
    .action(async (conversation: string, options: { turn?: number; json?: true }) => {
      const { diff } = await import("./commands/diff.ts")
      ended(await diff(conversation, options, invocation))
    })

  program
    .command("undo")
    .description("take back what a conversation did to files, where they are as it left them")
    .argument("<conversation>", which, notEmpty)
    .option("--turn <number>", "one turn alone", positiveInteger)
    .option("--folder <folder>", "the project's folder (default: where it was)", notEmpty)
    .option("--dry-run", "print what it would do, and do nothing")
    .option("-y, --yes", "do it without being asked")
    .option("--json", "print it as JSON")
    .action(async (conversation: string, options: UndoOptions) => {
      const { undo } = await import("./commands/undo.ts")
      ended(await undo(conversation, options, invocation))
    })

  program
    .command("redact")
    .description("empty a payload or an output for good; a tombstone stays in the log")
    .argument("<conversation>", which, notEmpty)
    .argument("<evidence>", "a sha256, the beginning of one, or output:<id>", notEmpty)
    .option("--reason <text>", "why, for the tombstone", notEmpty)
    .option("--json", "print what was removed as JSON")
    .action(
      async (conversation: string, evidence: string, options: { reason?: string; json?: true }) => {
        const { redact } = await import("./commands/redact.ts")
        ended(await redact(conversation, evidence, options, invocation))
      },
    )

  program
    .command("gc")
    .description("free what no conversation needs any more; logs stay")
    .option("--older-than <age>", "also all artifacts of conversations older than 30d, 12h", age)
    .option("--dry-run", "print what it would remove, and remove nothing")
    .option("--json", "print it as JSON")
    .action(async (options: { olderThan?: number; dryRun?: true; json?: true }) => {
      const { gc } = await import("./commands/gc.ts")
      ended(await gc(options, invocation))
    })
}
