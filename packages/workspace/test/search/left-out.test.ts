import { expect, test } from "vitest"
import { openArgs, secretArgs } from "../../src/search/left-out.ts"

test("patterns become types in their order, in any case of letters", () => {
  const leftOut = { secretFiles: ["*.pem", "!a[1].pem"], places: [] }
  expect(openArgs(leftOut, "*.ts")).toEqual([
    "--type-add=wanted:*.ts",
    "--type=wanted",
    "--type-add=secret0:*.[pP][eE][mM]",
    "--type-not=secret0",
    "--type-add=secret1:[aA][[]1[]].[pP][eE][mM]",
    "--type=secret1",
  ])
  expect(secretArgs(leftOut)).toEqual([
    "--type-add=secret0:*.[pP][eE][mM]",
    "--type=secret0",
    "--type-add=secret1:[aA][[]1[]].[pP][eE][mM]",
    "--type-not=secret1",
  ])
})

test("without secrets nothing is picked by type, and hidden places are kept out in any case", () => {
  const leftOut = { secretFiles: [], places: [".ssh", "a/{b}*"] }
  const places = ["--iglob=!/.ssh", "--iglob=!/a/[{]b[}][*]"]
  expect(openArgs(leftOut, null)).toEqual(places)
  expect(secretArgs(leftOut)).toBe(null)
  expect(secretArgs({ ...leftOut, secretFiles: ["x"] })).toEqual([
    ...places,
    "--type-add=secret0:[xX]",
    "--type=secret0",
  ])
})
