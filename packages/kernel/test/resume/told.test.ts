import { expect, test } from "vitest"
import { type Surroundings, toldOf } from "../../src/resume/told.ts"

const settings = {
  model: "a/one",
  style: "programs",
  approve: "none",
  sandbox: "os",
  network: true,
} as const
const head = "0123456789abcdef0123456789abcdef01234567"
const nothing = { changed: [], gone: [], appeared: [], notCompared: 0 }

const same: Surroundings = {
  session: [],
  proposals: new Map(),
  was: { settings, kind: "project", repository: { head, dirty: false } },
  now: {
    settings,
    kind: "project",
    repository: { head, dirty: false },
    temp: "/tmp/harness-abcdef",
  },
  files: nothing,
}

const told = (given: Partial<Surroundings>) =>
  toldOf({ ...same, ...given })
    ?.split("\n")
    .slice(1)

test("when nothing changed there is nothing to tell", () => {
  expect(toldOf(same)).toBe(null)
})

test("of many files some are named, and a name cannot begin a line", () => {
  const changed = ["a\n- b", ...Array.from({ length: 40 }, (_, index) => `f${index}`)]
  expect(
    told({ files: { ...nothing, changed, gone: ["g"], appeared: ["h"], notCompared: 3 } }),
  ).toEqual([
    expect.stringMatching(
      /^- Files that changed: a - b, f0, .*, f28 and 11 more\. Read them again/,
    ),
    "- Files that are gone: g.",
    "- Files that were not there and are: h.",
    "- 3 more files were not compared.",
  ])
})

test("another model, style, kind, sandbox and network are told", () => {
  const now = {
    ...same.now,
    kind: "desk",
    settings: {
      ...settings,
      model: "b/two",
      style: "tools",
      sandbox: "off",
      network: false,
    } as const,
  }
  expect(told({ now })).toEqual([
    "- The environment project is not open any more; desk is.",
    "- The model is b/two, and was a/one.",
    "- You work with tools from here on; it was programs.",
    "- Commands do not run in a sandbox any more.",
    "- Commands have no network now.",
  ])
})

test.each([
  [null, { head }, ["- There is a git repository now."]],
  [{ head }, null, ["- There is no git repository any more."]],
  [{ head: null }, { head }, ["- git HEAD was without a commit, and is 0123456789ab."]],
  [{ head, dirty: null }, { head, dirty: true }, undefined],
  [
    { head, dirty: false },
    { head, dirty: true },
    ["- There were no uncommitted changes, and there are some."],
  ],
])("a repository that was %j and is %j", (was, now, lines) => {
  const changed = { was: { ...same.was, repository: was }, now: { ...same.now, repository: now } }
  expect(told(changed)).toEqual(lines)
})
