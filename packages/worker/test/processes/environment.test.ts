import { expect, test } from "vitest"
import { commandEnvironment, leastEnvironment } from "../../src/processes/environment.ts"

const own = {
  PATH: "/bin",
  HOME: "/home/me",
  LANG: "C",
  LC_ALL: "C",
  LC_TIME: "C",
  TERM: "xterm",
  USER: "me",
  SHELL: "/bin/sh",
  TZ: "UTC",
  TMPDIR: "/elsewhere",
  OPENAI_API_KEY: "sk-secret",
  HARNESS_SESSION: "outer",
  LD_PRELOAD: "x.so",
  NODE_OPTIONS: "--inspect",
  EMPTY: undefined,
}
const { TMPDIR: _temp, OPENAI_API_KEY: _key, HARNESS_SESSION: _outer, ...rest } = own
const { LD_PRELOAD: _preload, NODE_OPTIONS: _options, EMPTY: _empty, ...inherited } = rest
const options = { own, platform: "linux" as const, temp: "/t", allowed: { CI: "1" }, tag: "tag" }

test("a command gets the few, the conversation's folder, what is allowed and the tag", () => {
  const least = leastEnvironment(options)
  expect(least).toEqual({ ...inherited, TMPDIR: "/t", CI: "1", HARNESS_SESSION: "tag" })
  expect(commandEnvironment(least, { PATH: "/mine", HARNESS_SESSION: "forged" })).toEqual({
    ...least,
    PATH: "/mine",
  })
})
