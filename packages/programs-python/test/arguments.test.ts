import type { Json, JsonObject } from "@harness/protocol"
import fc from "fast-check"
import { expect, test } from "vitest"
import { nameArguments } from "../src/arguments.ts"

const callee = {
  name: "write_file",
  parameters: [
    { name: "path", required: true },
    { name: "text", required: true },
    { name: "from", required: false },
  ],
  description: "",
}

const named = (args: Json[], kwargs: JsonObject) => nameArguments(callee, args, kwargs)

test("positional and keyword arguments get the parameters' names", () => {
  const input = { path: "a", text: "b", from: 3 }
  expect(named(["a", "b", 3], {})).toEqual({ status: "named", input })
  expect(named(["a"], { from_: 3, text: "b" })).toEqual({ status: "named", input })
  expect(named([], { text: "b", path: "a", from: 3 })).toEqual({ status: "named", input })
})

test("an optional argument that is None counts as left away, a required one does not", () => {
  expect(named(["a", null, null], {})).toEqual({
    status: "named",
    input: { path: "a", text: null },
  })
})

test.each<[string, Json[], JsonObject]>([
  ["write_file() missing required arguments: 'path', 'text'", [], {}],
  ["write_file() missing required argument: 'text'", ["a"], {}],
  ["write_file() takes at most 3 arguments (4 given)", [1, 2, 3, 4], {}],
  ["write_file() got multiple values for argument 'path'", ["a"], { path: "b" }],
  ["write_file() got multiple values for argument 'from'", ["a", "b"], { from_: 1, from: 2 }],
  [
    "write_file() got an unexpected keyword argument 'txt' (it takes: path, text, from_)",
    ["a"],
    { txt: "b" },
  ],
  [
    "write_file() got an unexpected keyword argument '__proto__' (it takes: path, text, from_)",
    ["a", "b"],
    JSON.parse('{"__proto__": {}}'),
  ],
])("it is refused: %s", (message, args, kwargs) => {
  expect(named(args, kwargs)).toEqual({ status: "refused", message })
})

test("however the arguments are split between positions and keywords, the input is the same", () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/)
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(names, fc.nat(6), (parameters, split) => {
      const any = {
        name: "f",
        description: "",
        parameters: parameters.map(each => ({ name: each, required: true })),
      }
      const values = parameters.map((each, index) => [each, index] as const)
      const args = values.slice(0, split).map(([, value]) => value)
      const kwargs = Object.fromEntries(values.slice(split))
      expect(nameArguments(any, args, kwargs)).toEqual({
        status: "named",
        input: Object.fromEntries(values),
      })
    }),
  )
})
