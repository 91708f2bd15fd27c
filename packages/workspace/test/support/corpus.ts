/** Text files of many kinds, each with the pair of an edit that fits it once. */
export type TextCase = { name: string; text: string; oldText: string; newText: string }

const long = `${"x".repeat(70_000)} needle ${"y".repeat(70_000)}`

/** Valid UTF-8; `text` is what the bytes say, a byte order mark included. */
export const texts: readonly TextCase[] = [
  { name: "LF", text: "one\ntwo\nthree\n", oldText: "two", newText: "2" },
  { name: "CRLF", text: "one\r\ntwo\r\nthree\r\n", oldText: "two", newText: "2" },
  { name: "mixed endings", text: "one\r\ntwo\nthree\r\n", oldText: "two", newText: "2" },
  { name: "CR alone", text: "one\rtwo\rthree\r", oldText: "two", newText: "2" },
  { name: "CR before CRLF", text: "one\r\r\ntwo\r\r\n", oldText: "two", newText: "2" },
  { name: "a byte order mark", text: "\uFEFFone\ntwo\n", oldText: "one", newText: "1" },
  { name: "a mark and CRLF", text: "\uFEFFone\r\ntwo\r\n", oldText: "one", newText: "1" },
  { name: "no final newline", text: "one\ntwo", oldText: "two", newText: "2" },
  { name: "no final newline, CRLF", text: "one\r\ntwo", oldText: "two", newText: "2" },
  { name: "one character", text: "x", oldText: "x", newText: "y" },
  { name: "blank lines at the end", text: "one\n\n\n\n", oldText: "one", newText: "1" },
  { name: "white space at line ends", text: "one \t\ntwo  \n", oldText: "one", newText: "1" },
  { name: "a very long line", text: long, oldText: "needle", newText: "pin" },
  { name: "two bytes a character", text: "naïve café\n", oldText: "café", newText: "thé" },
  { name: "three bytes a character", text: "日本語\nテキスト\n", oldText: "本", newText: "木" },
  { name: "astral characters", text: "a😀b😃c\n", oldText: "😃", newText: "😄" },
  { name: "combining characters", text: "e\u0301 \u00e9\n", oldText: "\u00e9", newText: "e" },
  { name: "joined emoji", text: "👩‍👩‍👧‍👦 family\n", oldText: "family", newText: "home" },
  { name: "right to left", text: "שלום עולם\n", oldText: "עולם", newText: "תבל" },
  { name: "separators of lines", text: "a\u2028b\u2029c\u0085d\n", oldText: "b", newText: "B" },
  { name: "form feed and escape", text: "a\f\u001b[31mred\n", oldText: "red", newText: "blue" },
  { name: "dollars and backslashes", text: "a $& \\n $1\n", oldText: "$&", newText: "$1$$" },
  { name: "tabs", text: "all:\n\tmake one\n", oldText: "one", newText: "two" },
  {
    name: "a character after the last plane",
    text: "\u{10FFFF}end\n",
    oldText: "end",
    newText: ".",
  },
]

/** What is not UTF-8 text, with the error that names it. */
export const notTexts: readonly { name: string; bytes: Uint8Array; error: string }[] = [
  { name: "Latin-1", bytes: Buffer.from("caf\xe9 noir\n", "latin1"), error: "not_utf8" },
  { name: "Windows-1252", bytes: Buffer.from([0x93, 0x68, 0x69, 0x94, 0x0a]), error: "not_utf8" },
  { name: "Shift JIS", bytes: Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]), error: "not_utf8" },
  { name: "UTF-16 LE", bytes: Buffer.from("\uFEFFhi\n", "utf16le"), error: "not_utf8" },
  { name: "UTF-16 BE", bytes: Buffer.from("\uFEFFhi\n", "utf16le").swap16(), error: "not_utf8" },
  { name: "a surrogate in UTF-8", bytes: Buffer.from([0xed, 0xa0, 0x80]), error: "not_utf8" },
  { name: "an overlong form", bytes: Buffer.from([0xc0, 0xaf]), error: "not_utf8" },
  {
    name: "a character cut at the end",
    bytes: Buffer.from([0x61, 0xf0, 0x9f, 0x98]),
    error: "not_utf8",
  },
  { name: "NUL bytes", bytes: Buffer.from("a\0b\n"), error: "binary" },
  {
    name: "an ELF header",
    bytes: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
    error: "binary",
  },
]
