import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createPlaceholders, type Places } from "../../src/conversation/placeholders.ts"

const places = { root: "/home/jo/shop", home: "/home/jo", temp: "/tmp/h1" }

/** As the log does it: the text inside a line of JSON. */
function stored(text: string, at: Places = places): string {
  const line = createPlaceholders(at).encode(JSON.stringify({ text }))
  const { text: inside }: { text: string } = JSON.parse(line)
  return inside
}

function readAt(text: string, at: Places): string {
  const line = createPlaceholders(at).decode(JSON.stringify({ text }))
  const { text: inside }: { text: string } = JSON.parse(line)
  return inside
}

test.each([
  ["/home/jo/shop", "{root}"],
  ["/home/jo/shop/", "{root}/"],
  ["/home/jo/shop/src/a.ts:12:3", "{root}/src/a.ts:12:3"],
  ["in /home/jo/shop.", "in {root}."],
  ["'/home/jo/shop', \"/home/jo\"", "'{root}', \"{home}\""],
  ["/home/jo/.cache and /tmp/h1/x", "{home}/.cache and {temp}/x"],
  ["one\n/tmp/h1\ttwo\t/tmp/h1\r\n", "one\n{temp}\ttwo\t{temp}\r\n"],
  ["\u001b[31m/tmp/h1/x\u001b[0m", "\u001b[31m{temp}/x\u001b[0m"],
  ["file:///home/jo/shop/a.ts", "file://{root}/a.ts"],
  ["cc -I/home/jo/shop/include -L/tmp/h1", "cc -I{root}/include -L{temp}"],
  ["PATH=/home/jo/bin:/tmp/h1", "PATH={home}/bin:{temp}"],
  ["@@\n-/home/jo/a\n+/home/jo/b", "@@\n-{home}/a\n+{home}/b"],
  ["“/home/jo/shop”: 📁/tmp/h1", "“{root}”: 📁{temp}"],
  ['{"text":"a\\n/tmp/h1"}', '{"text":"a\\n{temp}"}'],
])("the path in %j is not kept", (text, expected) => {
  expect(stored(text)).toBe(expected)
  expect(readAt(expected, places)).toBe(text)
})

test.each([
  "/home/jo2",
  "/home/jo-old/x",
  "/home/jo.old",
  "/srv/tmp/h1",
  "./tmp/h1",
  "$TMP/tmp/h1",
  "$(pwd)/tmp/h1",
  "src//tmp/h1",
  "tmp/h1",
])("a longer name that holds a path stays: %j", text => {
  expect(stored(text)).toBe(text)
})

test("the longest path wins, and a folder beside it falls to the next", () => {
  expect(stored("/home/jo/shopping /home/jo/shop")).toBe("{home}/shopping {root}")
})

test.each([
  ["{root}", "{!root}"],
  ["{!root}", "{!!root}"],
  ["{{home}}", "{{!home}}"],
  ["{!!temp} {roots} {!} {}", "{!!!temp} {roots} {!} {}"],
])("text that looks like a placeholder is told apart: %j", (text, expected) => {
  expect(stored(text)).toBe(expected)
  expect(readAt(expected, places)).toBe(text)
})

test("a log names the places of wherever it is read", () => {
  const text = "/home/jo/shop/a.ts, /home/jo/.npmrc, /tmp/h1/x, {root}"
  const elsewhere = { root: "/srv", home: "/Users/jo", temp: "/var/t 2" }
  expect(readAt(stored(text), elsewhere)).toBe("/srv/a.ts, /Users/jo/.npmrc, /var/t 2/x, {root}")
})

test.each<[string, Places, string, string]>([
  ["root and home are one", { root: "/r", home: "/r", temp: "/t" }, "/r/a /t", "{root}/a {temp}"],
  ["temp is home", { root: "/r", home: "/h", temp: "/h" }, "/r /h/x", "{root} {temp}/x"],
  ["temp is in root", { root: "/r", home: "/h", temp: "/r/t" }, "/r/t/x /r", "{temp}/x {root}"],
  ["home is the top", { root: "/r", home: "/", temp: "/t" }, "/ /r /etc", "/ {root} /etc"],
  ["a path ends with a slash", { root: "/r/", home: "/h", temp: "/t" }, "/r/a", "{root}/a"],
  ["a name looks like one", { root: "/{root}", home: "/h", temp: "/t" }, "/{root}/a", "{root}/a"],
  ["names hold quotes", { root: '/a"b\\', home: "/h", temp: "/t" }, '/a"b\\/c', "{root}/c"],
])("places are told apart when %s", (_when, at, text, expected) => {
  expect(stored(text, at)).toBe(expected)
  expect(readAt(expected, at)).toBe(text)
})

test("decoding undoes encoding for every text and all places", async () => {
  const name = fc.constantFrom(
    "a",
    "b",
    "a.b",
    "{root}",
    "{!home}",
    "{",
    "!",
    "a b",
    '"',
    "\\",
    "é",
    "$&",
  )
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(names => `/${names.join("/")}`)
  const anyPlaces = fc.record({ root: path, home: path, temp: path })
  const inside = fc.tuple(anyPlaces, path).map(([at, more]) => ({
    root: `${at.home}${more}`,
    home: at.home,
    temp: at.temp,
  }))

  await fc.assert(
    fc.property(fc.oneof(anyPlaces, inside), fc.array(fragment), (at, fragments) => {
      const text = fragments
        .map(part => (typeof part === "string" ? part : at[part.place]))
        .join("")
      const line = JSON.stringify({ [text]: [text, JSON.stringify({ text })] })
      const { encode, decode } = createPlaceholders(at)
      expect(decode(encode(line))).toBe(line)
    }),
    { numRuns: 2_000 },
  )
}, 60_000)

test("no path remains where a name neither goes on nor leads up to it", async () => {
  const around = fc.constantFrom(
    " ",
    "\n",
    "\t",
    '"',
    "'",
    ":",
    "=",
    ",",
    "(",
    "\u001b[1;31m",
    "\u0007",
  )
  const place = fc.constantFrom("root" as const, "home" as const, "temp" as const)
  const rest = fc.constantFrom("", "/", "/x/y.ts", ":3:4")
  await fc.assert(
    fc.property(fc.array(fc.tuple(around, place, rest, around)), parts => {
      const text = parts
        .map(([before, name, more, after]) => `${before}${places[name]}${more}${after}`)
        .join("")
      const kept = createPlaceholders(places).encode(
        JSON.stringify({ text, nested: JSON.stringify({ text }) }),
      )
      for (const path of Object.values(places)) expect(kept).not.toContain(path)
    }),
  )
})

const fragment = fc.oneof(
  fc.constantFrom("root", "home", "temp").map(name => `{${name}}`),
  fc.nat(3).map(count => `{${"!".repeat(count)}root}`),
  fc.constantFrom(
    { place: "root" as const },
    { place: "home" as const },
    { place: "temp" as const },
  ),
  fc.constantFrom("{", "}", "!", "/", "root", "\\", '"', "\n", ".", "-", "a", " ", "\ud800", "😀"),
  fc.string({ unit: "binary", maxLength: 5 }),
)
