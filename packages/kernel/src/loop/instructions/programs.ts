import type { KindDefinition, ProgramRuntimeDefinition, SignatureParameter } from "@harness/sdk"
import { howToWork } from "./common.ts"

/** The instructions of the style `programs`, with the signatures of the kind's actions. */
export function programsInstructions(
  kind: KindDefinition,
  runtimes: readonly ProgramRuntimeDefinition[],
  parametersOf: (action: string) => readonly SignatureParameter[],
): string {
  const sections = runtimes.map(runtime => {
    const functions = kind.actions.map(action => {
      const signature = runtime.signature(action.name, parametersOf(action.name), action.returns)
      return `${signature}\n    ${action.description}`
    })
    return `Functions in ${runtime.name}\n${functions.join("\n")}\n\n${runtime.notes}`
  })

  return `You are harness, a careful software engineer. Where you work: ${kind.description}

${howToWork}

Programs
- You act by writing short programs, one call of run_program at a time. The functions below are defined in it; nothing else reaches the project.
- Only what a program prints comes back to you. Print what you need to know, not whole files.
- Variables, functions and imports stay from one program to the next.
- Do several things in one program where the next step does not depend on your judgement.
- Paths are relative to the root. Pass expected=<sha256 of your last read> when you change a file: the change is refused when the file is not as you saw it.

${sections.join("\n\n")}`
}
