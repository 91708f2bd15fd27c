import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { commandLineReader } from "../../../src/policy/command-line/parser.ts"
import { temporaryFolder } from "../../support/temporary.ts"

const names = ["aa", "bb", "cc"]

/** Runs lines in a shell that finds these commands alone; gives back what it really ran. */
async function machine(shell: string): Promise<(line: string) => string[]> {
  const folder = await temporaryFolder()
  const log = join(folder, "ran")
  mkdirSync(join(folder, "bin"))
  for (const name of names) {
    const file = join(folder, "bin", name)
    writeFileSync(file, `#!/bin/sh\necho ${name} >> "$RAN"\n`, { mode: 0o700 })
  }
  return line => {
    rmSync(log, { force: true })
    const env = { PATH: join(folder, "bin"), RAN: log }
    spawnSync(shell, ["-c", line], { cwd: folder, env, input: "", timeout: 10_000 })
    return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []
  }
}

const pieces = [
  ...names,
  ...names.map(name => ` ${name} `),
  ..." x | 'x' | \"x\" | ; | && | & | ( | ) | { | } | ' | \" | ` | $( | \\ | # | ! | = | * | ~".split(
    " | ",
  ),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours
  ..."$x|${x}|${x:-y}|$'|<(|<<E|<<'E'|>/dev/null|2>&1|&>|<|[[|]]|((|))|||f()|x=1".split("|"),
  ..." if  then  fi  else  for x in 1 2; do  done  case x in x)  ;; esac ".split("  "),
  "\n",
  "\nE\n",
  "|",
  "||",
]

test.each(["/bin/sh", "/bin/bash"])(
  "%s runs nothing but what was read from the line",
  async shell => {
    const read = await commandLineReader()
    const ran = await machine(shell)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 12 }), parts => {
        const line = parts.join("")
        const known = read(line)
        // A line that is asked about anyway is of no interest.
        if (known === null || known.commands.some(({ words }) => words[0] === null)) return
        const expected = known.commands.map(({ words }) => words[0])
        const unexpected = ran(line).filter(name => !expected.includes(name))
        expect([line, unexpected]).toEqual([line, []])
      }),
      { numRuns: 600 },
    )
  },
)
