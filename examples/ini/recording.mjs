// The recorded messages of this example, readable. `node recording.mjs > recording.jsonl` writes them.
import { ok, ran, recording } from "../support/recorded.mjs"

const messages = [
  {
    say: "I'll read the package before I touch it: what it promises, and how the parser gets from a line of text to a property of an object.",
    program: `listing = list_files()
print("\\n".join(listing.files))
for path in ["package.json", "ini.js"]:
    file = read_file(path)
    print(f"\\n===== {path} ({file.size} bytes)")
    print(file.text)
readme = read_file("README.md")
print("\\n===== README.md, its beginning")
print(readme.text[:1200])
`,
    tokens: [1730, 0, 172],
  },
  {
    after: {
      status: "ok",
      actions: [ok("list_files"), ok("read_file"), ok("read_file"), ok("read_file")],
    },
    say: `Every name in \`decode\` comes from the text, and is used at once as a property: \`out[section] || {}\`, \`p[key]\`, \`p[part]\`. So a name that the object inherits is taken for data. That is more than \`[__proto__]\`: I expect the parts of a dotted section, keys with \`[]\`, and inherited names such as \`constructor\` to do it too. I try each in a process of its own, and keep what ordinary text gives, to compare with it later.`,
    program: String.raw`def node(script, *args):
    return run_command(["node", "-e", script, *args], timeout=30)

probe = r'''
const { getOwnPropertyDescriptors, getPrototypeOf } = Object
const shared = { Object, "Object.prototype": Object.prototype, "Array.prototype": Array.prototype }
const look = () => Object.entries(shared).map(([name, each]) => [name, getOwnPropertyDescriptors(each)])
const before = look()
const result = require("./ini").parse(process.argv[1])
for (const [index, [name, now]] of look().entries()) {
  const old = before[index][1]
  const changed = Reflect.ownKeys(now).filter(key => !Object.hasOwn(old, key) || old[key].value !== now[key].value)
  if (changed.length > 0) console.log(name, "has a changed", changed.join(", "))
}
for (const [name, value] of [["the result", result], ["a", result.a]]) {
  if (typeof value === "object" && getPrototypeOf(value) !== Object.prototype) console.log(name, "inherits from something else")
}
'''
suspects = [
    "[__proto__]\npolluted=1",
    "[__proto__.deep]\npolluted=1",
    "[a.__proto__.deep]\npolluted=1",
    "[a.__proto__]\npolluted=1",
    "__proto__[]=1",
    "__proto__=null",
    "[constructor]\npolluted=1",
]
for suspect in suspects:
    print(repr(suspect), "->", node(probe, suspect).output.strip() or "nothing")

sample = r'''
const ini = require("./ini")
const text = require("fs").readFileSync("README.md", "utf8").split("\n\n").join("\n") + "\n[a.b]\nc=1\n[a]\nlist[]=1\nlist[]=2\nquoted=\"x = y\""
const result = ini.parse(text)
console.log(JSON.stringify([result, ini.stringify(result), ini.stringify(result, { section: "s", whitespace: true })]))
'''
before = node(sample).output
print("kept for later:", len(before), "characters")
`,
    tokens: [4920, 1664, 655],
  },
  {
    after: {
      status: "ok",
      actions: [ran(0), ran(0), ran(0), ran(0), ran(0), ran(0), ran(0), ran(0)],
    },
    say: "Reproduced, and it is a kind and not a case: all seven change something that is not the parser's own. I write the check before the fix, so that I see it fail for the right reason. The package's own tests are not in the published tarball, so there are none to run beside it.",
    program: String.raw`check = r'''const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const ini = require('../ini')

const texts = [
  '[__proto__]\npolluted=1',
  '["__proto__"]\npolluted[]=1',
  '[__proto__.deep]\npolluted=1',
  '[a.__proto__.deep]\npolluted=1',
  'a[]=1\n[a.__proto__.deep]\npolluted=1',
  '[a.__proto__]\npolluted=1',
  '__proto__[]=1',
  '"__proto__[]"=1',
  '[a]\n__proto__[]=1',
  '__proto__=null',
  '__proto__=\'{"polluted":1}\'',
  '\'["__proto__"]\'=\'{"polluted":1}\'',
  '[constructor]\npolluted=1',
  '[hasOwnProperty]\ncall=1'
]

// Runs in a process of its own, so that a text that pollutes does so for nobody else, and prints
// what has changed.
function probe (text) {
  const { getOwnPropertyDescriptors, getPrototypeOf } = Object
  const shared = [Object, Object.prototype, Array.prototype, Object.prototype.hasOwnProperty]
  const before = shared.map(getOwnPropertyDescriptors)
  const result = require('./ini').parse(text)

  shared.map(getOwnPropertyDescriptors).forEach((now, index) => {
    const changed = key => now[key].value !== (before[index][key] || {}).value
    Reflect.ownKeys(now).filter(changed).forEach(key => console.log('changed: ' + String(key)))
  })

  function inspect (value) {
    if (typeof value !== 'object' || value === null) return
    const usual = Array.isArray(value) ? Array.prototype : Object.prototype
    if (getPrototypeOf(value) !== usual) console.log('inherits from something else')
    Object.values(value).forEach(inspect)
  }
  inspect(result)
}

// First, for the tests below may pollute this process when the fault is there.
test('sections, lists and dotted names are read and written as before', () => {
  const text = 'top=1\n\n[a]\nlist[]=1\nlist[]=2\n\n[a.b]\nc=true\n'
  const result = { top: '1', a: { list: ['1', '2'], b: { c: true } } }
  assert.deepEqual(ini.parse(text), result)
  assert.equal(ini.stringify(result), text)
})

for (const text of texts) {
  test('parse changes nothing but its result for ' + JSON.stringify(text), () => {
    const script = '(' + probe + ')(' + JSON.stringify(text) + ')'
    const options = { cwd: join(__dirname, '..'), encoding: 'utf8' }
    const { status, stdout } = spawnSync(process.execPath, ['-e', script], options)
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '' })
  })
}

test('a name that every object inherits is an ordinary name', () => {
  const result = ini.parse('[constructor]\na=1\n[x.toString]\nb=2\n[list]\nvalueOf[]=3\nvalueOf[]=4')
  assert.deepEqual(Object.entries(result), [
    ['constructor', { a: '1' }],
    ['list', { valueOf: ['3', '4'] }],
    ['x', { toString: { b: '2' } }]
  ])
})

test('what stands beside __proto__ is kept', () => {
  assert.deepEqual(ini.parse('[__proto__]\na=1\n[b]\nc=2\n__proto__[]=3\nd=4'), { b: { c: '2', d: '4' } })
})
'''
print(write_file("test/proto.test.js", check).path)

def summary(run):
    whole = read_file(run.output_id, limit=64000).text
    tests = whole.split("✖ failing tests")[0]
    return "\n".join(line for line in tests.splitlines() if line.startswith(("✔", "✖", "ℹ pass", "ℹ fail")))

failing = run_command(["node", "--test", "--test-reporter=spec", "test/proto.test.js"], timeout=120)
print("exit", failing.exit_code)
print(summary(failing))
`,
    tokens: [5780, 4864, 1240],
  },
  {
    after: { status: "ok", actions: [ok("write_file"), ran(1), ok("read_file")] },
    say: `The check fails where it should and only there: 16 tests fail, the one of ordinary text passes. The fix goes where names become properties. Two small functions do it: \`get\` sees only what an object holds itself, and \`set\` puts nothing in the place of \`__proto__\`. I do not make the results \`Object.create(null)\`: callers may use \`result.hasOwnProperty\`. Each edit names the hash of what it changes.`,
    program: `changes = [
    ("""function decode (str) {
""", """// Names come from the text that is read. What an object inherits is not data,
// and a value in the place of __proto__ would change what it inherits.
var hasOwn = Object.prototype.hasOwnProperty

function get (obj, name) {
  return hasOwn.call(obj, name) ? obj[name] : undefined
}

function set (obj, name, value) {
  if (String(name) !== '__proto__') obj[name] = value
  return value
}

function decode (str) {
"""),
    ("p = out[section] = out[section] || {}", "p = set(out, section, get(out, section) || {})"),
    ("""      if (!p[key]) {
        p[key] = []
      } else if (!Array.isArray(p[key])) {
        p[key] = [p[key]]
      }
""", """      if (!get(p, key)) {
        set(p, key, [])
      } else if (!Array.isArray(get(p, key))) {
        set(p, key, [get(p, key)])
      }
"""),
    ("""    if (Array.isArray(p[key])) {
      p[key].push(value)
    } else {
      p[key] = value
    }
""", """    if (Array.isArray(get(p, key))) {
      get(p, key).push(value)
    } else {
      set(p, key, value)
    }
"""),
    ("""      if (!p[part] || typeof p[part] !== 'object') p[part] = {}
      p = p[part]
""", """      var child = get(p, part)
      p = child && typeof child === 'object' ? child : set(p, part, {})
"""),
    ("p[nl] = out[k]", "set(p, nl, out[k])"),
]
current = read_file("ini.js").sha256
for old, new in changes:
    current = edit_file("ini.js", old, new, expected=current).sha256

passing = run_command(["node", "--test", "--test-reporter=spec", "test/proto.test.js"], timeout=120)
print("exit", passing.exit_code)
print(summary(passing))
for suspect in suspects:
    print(repr(suspect), "->", node(probe, suspect).output.strip() or "nothing")
print("ordinary text gives what it gave:", node(sample).output == before)
`,
    tokens: [7210, 5760, 905],
  },
  {
    after: {
      status: "ok",
      actions: [
        ok("read_file"),
        ...Array.from({ length: 6 }, () => ok("edit_file")),
        ran(0),
        ok("read_file"),
        ...Array.from({ length: 8 }, () => ran(0)),
      ],
    },
    say: `\`ini.parse\` used every name in the text as a property without asking whether the object holds it. So \`[__proto__]\` was \`Object.prototype\` and \`[constructor]\` was \`Object\`, and what followed was written into them.

- \`ini.js\`: \`decode\` reads through \`get\`, which sees an object's own properties only, and writes through \`set\`, which ignores the name \`__proto__\`: as a section, as any part of a dotted one, as a key or a list, quoted or not. \`stringify\` is untouched, and results are still ordinary objects.
- \`test/proto.test.js\`: 14 polluting texts, each parsed in a process of its own, and three checks of ordinary text.

Before the fix the check failed (exit 1); after it \`node --test test/proto.test.js\` exits 0 with all 17 passing. The seven texts with which I reproduced the fault change nothing any more, and a sample of ordinary text parses and stringifies to the same bytes as before.

Two things to know. A section or list with an inherited name, like \`[constructor]\`, is now ordinary data of the result; that text never gave anything usable. And a quoted value may still be JSON that holds a \`__proto__\` of its own, as \`JSON.parse\` gives it: harmless here, but not for a caller who merges it carelessly. I could not run the package's own tests: they are not published with it.`,
    tokens: [7980, 7168, 452],
  },
]

process.stdout.write(recording(messages))
