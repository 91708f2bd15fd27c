import { expect, test } from "vitest"
import { pythonName } from "../src/names.ts"
import { pythonSignature } from "../src/signature.ts"

test("a signature is written as Python has it", () => {
  const signature = pythonSignature(
    "search_files",
    [
      { name: "pattern", required: true, type: "string" },
      { name: "limit", required: false, type: "integer", default: 200 },
      { name: "ratio", required: false, type: "number" },
      { name: "hidden", required: false, type: "boolean", default: false },
      { name: "env", required: false, type: "object", default: { a: [true, null, "x"] } },
      { name: "argv", required: true, type: "string|array" },
    ],
    "{matches, truncated}",
  )
  expect(signature).toBe(
    "search_files(pattern: str, limit: int = 200, ratio: float = None, hidden: bool = False, " +
      'env: dict = {"a": [True, None, "x"]}, argv: str | list) -> {matches, truncated}',
  )
})

test.each([
  ["path", "path"],
  ["from", "from_"],
  ["None", "None_"],
  ["dry-run", "dry_run"],
  ["2fa", "_2fa"],
  ["match", "match"],
])("the name %s is %s in Python", (name, written) => {
  expect(pythonName(name)).toBe(written)
})
