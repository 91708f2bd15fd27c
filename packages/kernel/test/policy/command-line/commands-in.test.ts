import fc from "fast-check"
import { beforeAll, expect, test } from "vitest"
import { commandLineReader, type ReadCommandLine } from "../../../src/policy/command-line/parser.ts"

let read: ReadCommandLine
beforeAll(async () => {
  read = await commandLineReader()
})

const wordsIn = (line: string) => read(line)?.commands.map(({ words }) => words) ?? null

test.each<[string, (string | null)[][]]>([
  ["a && rm -rf b", [["a"], ["rm", "-rf", "b"]]],
  ["a || b; c & d", [["a"], ["b"], ["c"], ["d"]]],
  ["a\nb", [["a"], ["b"]]],
  ["a | b 2>&1 >/dev/null", [["a"], ["b"]]],
  ["(cd a; ls) && { b; }", [["cd", "a"], ["ls"], ["b"]]],
  ["! npm test", [["npm", "test"]]],
  ['git commit -m "fix $(date) `ls`"', [["git", "commit", "-m", null], ["date"], ["ls"]]],
  [
    "diff <(ls a) <(ls b)",
    [
      ["diff", null, null],
      ["ls", "a"],
      ["ls", "b"],
    ],
  ],
  ["for i in 1 2; do npm test $i; done", [["npm", "test", null]]],
  ["while a; do b; done < in", [["a"], ["b"]]],
  ["if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]],
  ["case $x in a) ls;; b|c) rm;; esac", [["ls"], ["rm"]]],
  ["f() { rm x; }; f", [["rm", "x"], ["f"]]],
  ["cat <<E | sh\nhi\nE\nrm b", [["cat"], ["sh"], ["rm", "b"]]],
  ["cat <<'E'\n$(rm b)\nE", [["cat"]]],
  ["env X=1 npm test", [["env", "X=1", "npm", "test"]]],
  ["sudo rm x", [["sudo", "rm", "x"]]],
  ["npm test -- --grep 'a && b' # all", [["npm", "test", "--", "--grep", "a && b"]]],
  ["ls \\\n  -la", [["ls", "-la"]]],
])("the commands of %j are known", (line, words) => {
  expect(wordsIn(line)).toEqual(words)
})

test.each([
  "$X y",
  "r* y",
  '"rm" y',
  "r'm' y",
  "\\rm y",
  "~/bin/x y",
  "X=1 npm test",
  "X=1",
  "export X=1",
  "unset X",
  "eval ls",
  ". ./x",
  "alias npm=rm",
])("no rule can cover %j", line => {
  expect(wordsIn(line)?.[0]?.[0]).toBeNull()
})

test.each([
  "a &&",
  'echo "$(',
  "if a; then",
  "[ -f x ] && a",
  "[[ x || rm b ]]",
  "ls &> out",
  "a |& b",
  "cat <<< x",
  "echo $'a'",
  "echo $((x))",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours
  "echo ${x:=y} ${x@P}",
  "for PATH in .; do ls; done",
  "function f { ls; }",
  "cat <<E\n$(rm b)\nE",
  'cat <<E"F"\nEF\nrm b\nE"F"',
  "cat <<A <<B\nA\nB",
  "echo `echo \\`rm\\``",
  "r\\\nm x",
  "ls > a b",
  "ls\u00a0&& rm",
  "ls \u202e",
  `ls ${"(".repeat(9_000)}`,
  `ls; ${"x".repeat(11_000)}`,
])("what a line of another kind runs is not known for certain: %#", line => {
  expect(read(line)).toBeNull()
})

test("redirects that write are named, but what goes to /dev/null or to another stream", () => {
  const writes = (line: string) => read(line)?.writes
  expect(writes("npm test > out.txt 2>> log < in")).toEqual(["> out.txt", "2>> log"])
  expect(writes("{ a; b; } >| $X; c > '/dev/null'")).toEqual([">| $X"])
  expect(writes("a 2>&1 >/dev/null 2>/dev/null >&2")).toEqual([])
})

test("of any line that is put together from known commands, all of them are found", () => {
  const command = fc.constantFrom("npm test", "git status -s", "rm -rf b", "ls 'a && b'", 'x "y"')
  const { line } = fc.letrec<{ line: string; piece: string }>(tie => ({
    piece: fc.oneof(
      { maxDepth: 3 },
      command,
      tie("line").map(inner => `( ${inner})`),
      tie("line").map(inner => `{ ${inner}; }`),
      tie("line").map(inner => `echo $( ${inner})`),
      tie("line").map(inner => `if ${inner}; then ${inner}; fi`),
      tie("line").map(inner => `for i in a; do ${inner}; done`),
    ),
    line: fc
      .array(fc.tuple(tie("piece"), fc.constantFrom(" && ", " || ", "; ", " | ", " & ", "\n")), {
        minLength: 1,
        maxLength: 3,
      })
      .map(parts => parts.map(([piece, joint], at) => (at === 0 ? piece : joint + piece)).join("")),
  }))
  const names = ["npm", "git", "rm", "ls", "x"]
  fc.assert(
    fc.property(line, made => {
      const known = read(made)
      const counted = (name: string) => made.match(new RegExp(`(?<![\\w'])${name} `, "g"))?.length
      for (const name of names) {
        const found = known?.commands.filter(({ words }) => words[0] === name).length
        expect([made, name, found]).toEqual([made, name, counted(name) ?? 0])
      }
    }),
  )
})
