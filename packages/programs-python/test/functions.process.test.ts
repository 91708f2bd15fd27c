import type { JsonObject } from "@harness/protocol"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { snapshotCache, startPython, type TestSession } from "./support/python.ts"

let python: TestSession

beforeAll(async () => {
  python = await startPython(snapshotCache, { program_calls: 50 })
})
afterAll(async () => {
  await python.session.dispose()
})

async function inputsOf(source: string): Promise<JsonObject[]> {
  const inputs: JsonObject[] = []
  await python.run(source, {
    async call(_name, input) {
      inputs.push(input)
      return { ok: {} }
    },
  })
  return inputs
}

describe("a function", () => {
  test("takes positional and keyword arguments, and leaves away what is None", async () => {
    expect(
      await inputsOf("echo('a'); echo('a', 2); echo(times=2, value='a'); echo('a', None)"),
    ).toEqual([{ value: "a" }, { value: "a", times: 2 }, { value: "a", times: 2 }, { value: "a" }])
  })

  test("takes paths, tuples and sets as JSON has them", async () => {
    expect(
      await inputsOf("import pathlib\necho([pathlib.Path('a/b'), (1, 2), {3}, None, 1.5, True])"),
    ).toEqual([{ value: ["a/b", [1, 2], [3], null, 1.5, true] }])
  })

  test("whose name and parameter are keywords is called with an underscore", async () => {
    expect(await inputsOf("import_('x'); import_(from_='y'); import_(**{'from': 'z'})")).toEqual([
      { from: "x" },
      { from: "y" },
      { from: "z" },
    ])
  })

  test("gives a dict whose keys are attributes, at every depth", async () => {
    const { stdout } = await python.run(
      "r = echo(1)\nprint(isinstance(r, dict), r['name'], r.name, r.input.value, r.get('error'), r)",
      { call: async () => ({ ok: { name: "n", input: { value: "é🎉" } } }) },
    )
    expect(stdout).toBe("True n n é🎉 None {'name': 'n', 'input': {'value': 'é🎉'}}\n")
  })

  test("gives an error as data", async () => {
    const { end, stdout } = await python.run("r = echo(1)\nprint(r.error, r['by'])", {
      call: async () => ({ ok: { error: "denied", by: "user" } }),
    })
    expect([end.status, stdout]).toEqual(["ok", "denied user\n"])
  })

  test("names the fields of a result when an attribute is not among them", async () => {
    const { end } = await python.run("echo(1).text")
    expect(end.error).toContain(
      "AttributeError: the result has no field 'text'; its fields: name, input",
    )
  })

  test("raises TypeError when the host refuses its arguments, and can be called again", async () => {
    const { stdout } = await python.run(
      "try:\n    echo(1)\nexcept TypeError as error:\n    print('refused:', error)",
      { call: async () => ({ refuse: "value: must be text" }) },
    )
    expect(stdout).toBe("refused: value: must be text\n")
  })

  test("raises TypeError for what cannot be sent", async () => {
    const { end } = await python.run("echo(b'bytes')")
    expect(end.error).toContain("TypeError: bytes cannot be an argument")
    expect(end.calls).toBe(0)
  })

  test("raises ValueError when its arguments are larger than a frame", async () => {
    const { end } = await python.run("echo('x' * 8_388_608)")
    expect(end.error).toContain("at most 8 MiB can be sent")
  })

  test("raises TypeError when a result is larger than a frame", async () => {
    const { end } = await python.run("echo(1)", {
      call: async () => ({ ok: { text: "x".repeat(8_388_608) } }),
    })
    expect(end.error).toContain("the result of echo is larger than 8 MiB")
  })

  test("carries megabytes both ways unchanged", async () => {
    const { stdout } = await python.run("t = 'aé🎉' * 100_000\nprint(echo(t).input.value == t)")
    expect(stdout).toBe("True\n")
  })

  test.each([
    ["plain lines", "a\n".repeat(40_000)],
    ["quotes, controls and astral characters", '"\\\u0000\u2028é🎉\r\n'.repeat(9_000)],
    ["half a character", `${"x".repeat(9_000)}\ud800`],
  ])("gives a result with a long text of %s unchanged and in its order", async (_of, text) => {
    const { stdout } = await python.run(
      "import json\nr = echo(1)\nprint(list(r), json.dumps(r, separators=(',', ':')) == json.dumps(json.loads(echo(2).json), separators=(',', ':')))",
      {
        async call(_name, { value }) {
          const result = { path: "a", text, other: "y".repeat(5_000), size: 1 }
          return { ok: value === 1 ? result : { json: JSON.stringify(result) } }
        },
      },
    )
    expect(stdout).toBe("['path', 'text', 'other', 'size'] True\n")
  })

  test("explains itself to help() and inspect", async () => {
    const { stdout } = await python.run(
      "import inspect\nhelp(echo)\nprint(inspect.signature(import_))",
    )
    expect(stdout).toBe(
      "Help on function echo in module __main__:\n\necho(value, times=...)\n    Gives its arguments back.\n\n(from_)\n",
    )
  })

  test("that fails against its contract is data too", async () => {
    const { stdout } = await python.run("print(echo(1))", {
      call: () => Promise.reject(new Error("lost")),
    })
    expect(stdout).toBe("{'error': 'failed', 'message': 'Error: lost'}\n")
  })
})

describe("the number of calls", () => {
  test("is counted, and one too many ends the program although it catches Exception", async () => {
    const { end, stdout } = await python.run(`done = 0
while True:
    try:
        echo(1)
        done += 1
    except Exception:
        pass
    finally:
        if done == 50:
            print(done)`)
    expect([end.status, end.calls, end.variablesKept]).toEqual(["error", 50, true])
    expect(end.error).toContain("CallLimit: A program may make 50 calls (program_calls).")
    expect(stdout).toMatch(/^50\n/)
  })

  test("starts anew with each program", async () => {
    const { end } = await python.run("for _ in range(50): echo(1)")
    expect([end.status, end.calls]).toEqual(["ok", 50])
  })
})
