// The recorded messages of this example, readable. `node recording.mjs > recording.jsonl` writes them.
import { ok, ran, recording } from "../support/recorded.mjs"

const messages = [
  {
    say: "I'll read the project before I change anything: its layout, the parser and its tests.",
    program: String.raw`listing = list_files()
print("\n".join(listing.files))
for path in ["README.md", "src/parse.js", "test/parse.test.js"]:
    file = read_file(path)
    print(f"\n===== {path} ({file.size} bytes)")
    print(file.text)
`,
    tokens: [1480, 0, 131],
  },
  {
    after: {
      status: "ok",
      actions: [ok("list_files"), ok("read_file"), ok("read_file"), ok("read_file")],
    },
    say: `\`quotedField\` ends a field at the first quote it finds, so a doubled quote would end it too early. Before I touch it I want to see it fail: once by itself, once in the project's tests.`,
    program: String.raw`script = '''
import { parseCsv } from "./src/index.js"
const text = 'name,said\\nAda,"She said ""go"", and went."\\nGrace,plain\\n'
console.log(JSON.stringify(parseCsv(text)))
'''
alone = run_command(["node", "--input-type=module", "--eval", script])
print("alone:", alone.output)

tests = run_command(["node", "--test", "--test-reporter=spec"], timeout=60)
print("tests: exit", tests.exit_code)
print("\n".join(line for line in tests.output.splitlines() if line.startswith(("✖", "ℹ pass", "ℹ fail"))))
`,
    tokens: [3020, 1408, 262],
  },
  {
    after: { status: "ok", actions: [ran(0), ran(1)] },
    say: `Reproduced: the field ends at \`She said \`, and the rest of the line is dropped. The fix is to go on past a doubled quote, and to write it back as one. I pass the hash of what I read, so that the edit is refused if the file has changed since.`,
    program: `source = read_file("src/parse.js")
old = '''function quotedField(text, start) {
  const close = text.indexOf('"', start + 1)
  const end = close === -1 ? text.length : close
  return { value: text.slice(start + 1, end), end: end + 1 }
}
'''
new = '''/** A quote inside the field is written twice; a single one ends it. */
function quotedField(text, start) {
  let close = text.indexOf('"', start + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)

  const end = close === -1 ? text.length : close
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}
'''
edit = edit_file("src/parse.js", old, new, expected=source.sha256)
print(edit)
check = run_command(["node", "--test", "--test-reporter=spec", "test/parse.test.js"], timeout=60)
print("exit", check.exit_code, check.output.count("✖"), "failed lines")
`,
    tokens: [3610, 2944, 341],
  },
  {
    after: { status: "ok", actions: [ok("read_file"), ok("edit_file"), ran(0)] },
    say: "The round trip passes now. The project's rule is that every fault gets a test of its own, so I add focused ones: quotes at the edges, a field that is only a quote, an empty quoted field, and a doubled quote before a line break.",
    program: String.raw`write = write_file("test/quotes.test.js", '''import assert from "node:assert/strict"
import { test } from "node:test"
import { formatCsv, parseCsv } from "../src/index.js"

test("a doubled quote does not end a quoted field", () => {
  assert.deepEqual(parseCsv('a,"say ""go"", then",b\\nnext,line,c\\n'), [
    ["a", 'say "go", then', "b"],
    ["next", "line", "c"],
  ])
})

test("quotes at the edges, alone and before a line break are kept", () => {
  assert.deepEqual(parseCsv('"""a""","""","b""\\nc",""\\n'), [['"a"', '"', 'b"\\nc', ""]])
})

test("every field of quotes, commas and line breaks is read back as it was written", () => {
  const pieces = ['"', ",", "\\n", "a", ""]
  const fields = pieces.flatMap(one => pieces.flatMap(two => pieces.map(three => one + two + three)))
  const rows = fields.map(field => [field, "end"])
  assert.deepEqual(parseCsv(formatCsv(rows)), rows)
})
''')
print(write)
checks = run_command(["node", "--test", "--test-reporter=spec"], timeout=60)
print("exit", checks.exit_code)
print("\n".join(line for line in checks.output.splitlines() if line.startswith(("✔", "✖", "ℹ pass", "ℹ fail"))))
`,
    tokens: [4180, 3456, 415],
  },
  {
    after: { status: "ok", actions: [ok("write_file"), ran(0)] },
    say: `The parser ended a quoted field at the first quote, so a quote written twice (\`""\`, as RFC 4180 has it) cut the field off and the rest of the line was dropped.

- \`src/parse.js\`: \`quotedField\` goes on past a doubled quote and reads it as one. Nothing else changed.
- \`test/quotes.test.js\`: three new tests, one of them over 125 fields of quotes, commas and line breaks, written and read back.

I reproduced the fault before the change (one test failed, exit 1). After it \`node --test\` exits 0 with all 8 tests passing. I did not try files of a real spreadsheet: none is in the project.`,
    tokens: [4650, 4096, 212],
  },
]

process.stdout.write(recording(messages))
