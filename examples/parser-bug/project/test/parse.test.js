import assert from "node:assert/strict"
import { test } from "node:test"
import { formatCsv, parseCsv } from "../src/index.js"

test("reads plain fields", () => {
  assert.deepEqual(parseCsv("a,b\nc,d\n"), [
    ["a", "b"],
    ["c", "d"],
  ])
})

test("keeps commas and line breaks inside quotes", () => {
  assert.deepEqual(parseCsv('"a,b","c\nd"\n'), [["a,b", "c\nd"]])
})

test("reads an empty field at the end of a line", () => {
  assert.deepEqual(parseCsv("a,\nb,c"), [
    ["a", ""],
    ["b", "c"],
  ])
})

test("takes lines that end with CR LF", () => {
  assert.deepEqual(parseCsv("a,b\r\nc,d\r\n"), [
    ["a", "b"],
    ["c", "d"],
  ])
})

test("reads back what formatCsv wrote", () => {
  const rows = [
    ["name", "said"],
    ["Ada", 'She said "go", and went.'],
    ["Grace", "plain"],
  ]
  assert.deepEqual(parseCsv(formatCsv(rows)), rows)
})
