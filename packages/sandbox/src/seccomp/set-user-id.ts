import { answer, answerWith, type Instruction, load, whenAny, whenEqual } from "./assemble.ts"

const EPERM = 1
const ENOSYS = 38

const S_ISUID = 0o4000

/** O_CREAT and the bit of O_TMPFILE that is its own: only with one of them a mode is given. */
const MAKES_A_FILE = 0o100 | 0o20000000

/** Where a call has its mode, and its flags if the mode counts only with some. */
type ModeAt = { mode: number; flags?: number }

const calls: Readonly<Record<string, ModeAt>> = {
  chmod: { mode: 1 },
  creat: { mode: 1 },
  fchmod: { mode: 1 },
  fchmodat: { mode: 2 },
  fchmodat2: { mode: 2 },
  mknod: { mode: 1 },
  mknodat: { mode: 2 },
  open: { mode: 2, flags: 1 },
  openat: { mode: 3, flags: 2 },
}

/**
 * Nobody gives a file the set-user-ID bit: the sandbox does not heed it, but the host does, and
 * there the file would make anybody who starts it the user who ran the command.
 */
export function withoutSetUserId(numbers: Readonly<Record<string, number>>): Instruction[] {
  const checked = Object.entries(calls).flatMap(([name, at]) => {
    const number = numbers[name]
    return number === undefined ? [] : whenEqual(number, checkOf(at))
  })
  // Its mode lies in memory, which a filter cannot read: programs fall back to openat.
  const { openat2 } = numbers
  return openat2 === undefined
    ? checked
    : [...checked, ...whenEqual(openat2, [answerWith(answer.errno(ENOSYS))])]
}

function checkOf({ mode, flags }: ModeAt): Instruction[] {
  const check = [
    load.argument(mode),
    ...whenAny(S_ISUID, [answerWith(answer.errno(EPERM))]),
    answerWith(answer.allow),
  ]
  if (flags === undefined) return check
  return [load.argument(flags), ...whenAny(MAKES_A_FILE, check), answerWith(answer.allow)]
}
