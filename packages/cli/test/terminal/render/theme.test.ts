import { describe, expect, test } from "vitest"
import { sourceLines } from "../../../src/terminal/render/source.ts"
import { themeFor } from "../../../src/terminal/render/theme.ts"

describe("the looks of a terminal", () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ TERM: "dumb" }, true, false],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ])("with %j and a terminal %s have colours: %s", (env, isTTY, colours) => {
    expect(themeFor(env, isTTY).colours).toBe(colours)
  })

  test.each([
    [{}, "dark"],
    [{ COLORFGBG: "15;0" }, "dark"],
    [{ COLORFGBG: "0;15" }, "light"],
    [{ COLORFGBG: "0;default;7" }, "light"],
    [{ COLORFGBG: "0;15", HARNESS_THEME: "dark" }, "dark"],
    [{ HARNESS_THEME: "light" }, "light"],
  ])("with %j stand before a %s background", (env, background) => {
    expect(themeFor(env, true).background).toBe(background)
  })
})

describe("a source", () => {
  const coloured = { columns: 80, theme: themeFor({ FORCE_COLOR: "1" }, true) }

  test("has the colours of its language over several lines", () => {
    expect(sourceLines('x = """a\nb"""\n', "python", coloured)).toEqual([
      'x = \u001b[32m"""a\u001b[39m',
      '\u001b[32mb"""\u001b[39m',
    ])
  })

  test("of a language that is not known is plain, and harmless", () => {
    expect(sourceLines("a\u001b]0;b\u0007\n", "klingon", coloured)).toEqual(["a^[]0;b^G"])
  })
})
