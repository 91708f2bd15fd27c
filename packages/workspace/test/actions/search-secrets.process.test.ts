import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openProject } from "../support/project.ts"

const tree = {
  ".env": "TOKEN=hit\n",
  ".ENV.Local": "TOKEN=hit\n",
  ".env.example": "TOKEN= hit\n",
  ".ignore": "!.env\n",
  "a.ts": "hit\n",
  "certs/server.pem": "hit\n",
  "certs/readme.md": "hit\n",
}

test("secret files are not searched, and how many there are does not depend on what they hold", async () => {
  const project = await openProject(tree)
  const matches = [".env.example", "a.ts", "certs/readme.md"].map(path =>
    expect.objectContaining({ path, line: 1 }),
  )
  const found = { matches, truncated: false, left_out: 3 }
  expect(await project.run("search_files", { pattern: "hit" })).toEqual(found)
  expect(await project.withPermits("secret_file").run("search_files", { pattern: "hit" })).toEqual(
    found,
  )
  expect(await project.run("search_files", { pattern: "no-such-text" })).toEqual({
    matches: [],
    truncated: false,
    left_out: 3,
  })
})

test.each([
  [{ path: "certs" }, ["certs/readme.md"], 1],
  [{ glob: "*.md" }, ["certs/readme.md"], 0],
  [{ glob: "**/*.pem" }, [], 1],
  [{ glob: ".env*" }, [".env.example"], 1],
])("the count is about the files that %j asks for", async (asked, paths, left) => {
  const project = await openProject(tree)
  const result = await project.run("search_files", { pattern: "hit", ...asked })
  expect(result).toEqual({
    matches: paths.map(path => expect.objectContaining({ path })),
    truncated: false,
    ...(left > 0 && { left_out: left }),
  })
})

test("a secret file that is named is searched with the permit, under any of its names", async () => {
  const project = await openProject(tree)
  symlinkSync(".env", join(project.root, "link"))
  for (const path of [".env", "link", "certs/server.pem"]) {
    const asked = { pattern: "hit", path }
    expect(await project.run("search_files", asked)).toMatchObject({ error: "secret_file", path })
    expect(await project.withPermits("secret_file").run("search_files", asked)).toMatchObject({
      matches: [{ line: 1 }],
    })
  }
})

test("a secret file that git ignores is not counted: nobody would have searched it", async () => {
  const project = await openProject({ ".gitignore": ".env\n", ".env": "hit\n" })
  expect(await project.run("search_files", { pattern: "hit" })).toEqual({
    matches: [],
    truncated: false,
  })
})

test("secret files are listed by their names", async () => {
  const project = await openProject({ ".env": "TOKEN=1\n", id_rsa: "k" })
  expect(await project.run("list_files", {})).toEqual({
    files: [".env", "id_rsa"],
    truncated: false,
  })
})

test("lines are found in files with a byte order mark, in UTF-16 and with any ending", async () => {
  const project = await openProject({
    "bom.txt": "\uFEFFhit\nx\n",
    "crlf.txt": "x\r\nhit\r\r\nhit\r",
    "utf16.txt": Buffer.from("\uFEFFx\nhit\n", "utf16le"),
  })
  expect(await project.run("search_files", { pattern: "hit" })).toEqual({
    matches: [
      { path: "bom.txt", line: 1, text: "hit" },
      { path: "crlf.txt", line: 2, text: "hit\r" },
      { path: "crlf.txt", line: 3, text: "hit" },
      { path: "utf16.txt", line: 2, text: "hit" },
    ],
    truncated: false,
  })
})

test("matches in a file that is too large to be compared are told of, not shown", async () => {
  const project = await openProject({ "a.txt": "hit\n" })
  writeFileSync(join(project.root, "big.log"), `hit\n${"x\n".repeat(33 * 1_048_576)}`)
  expect(await project.run("search_files", { pattern: "hit" })).toEqual({
    matches: [{ path: "a.txt", line: 1, text: "hit" }],
    truncated: false,
    note: "Matches in 1 file are not shown, too large to be compared: big.log. Search there with run_command.",
  })
})

test("no pattern, glob or path is an option of ripgrep", async () => {
  const project = await openProject({ "a.txt": "hit\n", "--files": "hit\n" })
  for (const option of ["--files", "-e", "--pre=./a.sh", "--hostname-bin=x"]) {
    expect(await project.run("search_files", { pattern: option })).toEqual({
      matches: [],
      truncated: false,
    })
    for (const place of [{ path: option }, { glob: option }]) {
      const found = await project.run("search_files", { pattern: "hit", ...place })
      expect(found.matches ?? []).toEqual(
        option === "--files" ? [{ path: "--files", line: 1, text: "hit" }] : [],
      )
    }
  }
})
