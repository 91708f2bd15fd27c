/** Text files of many kinds, each with the pair of an edit that fits it once. */
export type TextCase = { name: string; text: string; oldText: string; newText: string }

const long = `${"x".repeat(70_000)} needle ${"y".repeat(70_000)}`

const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at};${at % 3 ? "\r\n" : "\n"}`).join(
  "",
)

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
  { name: "all three endings", text: "one\r\ntwo\nthree\rfour", oldText: "two", newText: "2" },
  { name: "CRLF, but one LF", text: "a\r\nb\r\nc\nd\r\n", oldText: "c", newText: "C" },
  { name: "LF, but one CRLF", text: "a\nb\r\nc\nd\n", oldText: "b", newText: "B" },
  { name: "LF CR", text: "one\n\rtwo\n\r", oldText: "two", newText: "2" },
  { name: "a CR at the end", text: "one\ntwo\r", oldText: "two", newText: "2" },
  { name: "blank lines of each ending", text: "\r\n\n\r\r\nx\n\r\n", oldText: "x", newText: "y" },
  { name: "a mark and no newline", text: "\uFEFFone", oldText: "one", newText: "1" },
  { name: "a mark and mixed endings", text: "\uFEFFa\r\nb\nc", oldText: "b", newText: "B" },
  { name: "two marks", text: "\uFEFF\uFEFFone\n", oldText: "one", newText: "1" },
  { name: "a mark in the middle", text: "one\uFEFFtwo\n", oldText: "two", newText: "2" },
  { name: "a replacement character", text: "a\uFFFDb\n", oldText: "b", newText: "B" },
  { name: "characters that are none", text: "a\uFFFE\uFFFF\uFDD0b\n", oldText: "b", newText: "B" },
  { name: "private characters", text: "\uE000 x \u{F0000}\n", oldText: "x", newText: "y" },
  { name: "control characters", text: "\u0001a\u0008\u007F\u009Fb\n", oldText: "b", newText: "B" },
  { name: "soft and hard spaces", text: "a\u00A0b\u3000c\u200B\n", oldText: "c", newText: "C" },
  { name: "Cyrillic and Greek", text: "привет κόσμε\r\n", oldText: "κόσμε", newText: "мир" },
  {
    name: "Hangul in both forms",
    text: "\uD55C \u1112\u1161\u11AB\n",
    oldText: "\uD55C",
    newText: "x",
  },
  { name: "Thai and Devanagari", text: "ภาษา हिन्दी\n", oldText: "हिन्दी", newText: "ไทย" },
  { name: "flags and skin tones", text: "🇦🇶 👍🏽 👍\n", oldText: "👍🏽", newText: "👎🏿" },
  { name: "two-way controls", text: "a\u202Eb\u2066c\u2069\n", oldText: "c", newText: "C" },
  {
    name: "a script with a shebang",
    text: "#!/bin/sh\nexit 0\n",
    oldText: "exit 0",
    newText: "exit 1",
  },
  { name: "JSON in one line", text: '{"a":[1,2,{"b":"c"}]}', oldText: '"c"', newText: '"d"' },
  { name: "a patch", text: "@@ -1 +1 @@\r\n-a\r\n+b\r\n", oldText: "+b", newText: "+c" },
  { name: "UTF-7, which is ASCII", text: "caf+AOk-\n", oldText: "+AOk-", newText: "e" },
  { name: "many lines", text: lines, oldText: "line 4999;", newText: "line;" },
  {
    name: "a character after the last plane",
    text: "\u{10FFFF}end\n",
    oldText: "end",
    newText: ".",
  },
]

const hex = (digits: string) => Buffer.from(digits, "hex")

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
  { name: "KOI8-R", bytes: Buffer.from([0xd0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]), error: "not_utf8" },
  { name: "GB 18030", bytes: Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]), error: "not_utf8" },
  { name: "EUC-KR", bytes: Buffer.from([0xc7, 0xd1, 0xb1, 0xdb, 0x0a]), error: "not_utf8" },
  { name: "EBCDIC", bytes: Buffer.from([0xc8, 0x85, 0x93, 0x93, 0x96, 0x25]), error: "not_utf8" },
  { name: "a pair in CESU-8", bytes: hex("eda0bdedb880"), error: "not_utf8" },
  { name: "a character past the last", bytes: hex("f4908080"), error: "not_utf8" },
  { name: "a tail without a head", bytes: hex("618062"), error: "not_utf8" },
  { name: "a mark and Latin-1", bytes: hex("efbbbf636166e9"), error: "not_utf8" },
  { name: "UTF-32 LE", bytes: hex("fffe000068000000"), error: "not_utf8" },
  { name: "UTF-32 BE", bytes: hex("0000feff00000068"), error: "binary" },
  { name: "UTF-16 without a mark", bytes: Buffer.from("hi\n", "utf16le"), error: "binary" },
  { name: "a PNG header", bytes: hex("89504e470d0a1a0a0000000d"), error: "binary" },
  { name: "NUL bytes", bytes: Buffer.from("a\0b\n"), error: "binary" },
  {
    name: "an ELF header",
    bytes: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
    error: "binary",
  },
]
