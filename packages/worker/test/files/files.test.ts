import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Folders, makeFolders } from "../support/folders.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

// Linux walks by descriptors, the others by names: both are held to the same behaviour here.
describe.each(["linux", "darwin"] as const)("on %s", platform => {
  let folders: Folders

  beforeEach(() => {
    folders = makeFolders({ platform })
  })

  afterEach(() => {
    folders.dispose()
  })

  test("a file is read with its real path, hash and mode", async () => {
    folders.put({ "root/src/a.txt": "héllo" })
    chmodSync(join(folders.path, "src/a.txt"), 0o640)
    expect(await folders.files.read("./src//a.txt", { limitBytes: 100 })).toEqual({
      status: "read",
      path: "src/a.txt",
      bytes: Buffer.from("héllo"),
      sha256: sha256("héllo"),
      mode: 0o640,
    })
  })

  test("a file of exactly the limit is read, and one byte more is too large", async () => {
    folders.put({ "root/a": "12345", "root/b": "123456", "root/empty": "" })
    expect(await folders.files.read("a", { limitBytes: 5 })).toMatchObject({ status: "read" })
    expect(await folders.files.read("empty", { limitBytes: 0 })).toMatchObject({ status: "read" })
    expect(await folders.files.read("b", { limitBytes: 5 })).toEqual({
      status: "refused",
      error: "too_large",
      path: "b",
      message: "b has 6 bytes; at most 5 are read.",
    })
  })

  test("a window has the bytes from its offset, and size and hash of the whole file", async () => {
    const text = "0123456789".repeat(250_000)
    folders.put({ "root/a": text })
    const whole = { status: "read", path: "a", size: 2_500_000, sha256: sha256(text) }
    const read = async (offset: number, limitBytes: number) => {
      const found = await folders.files.window("a", { offset, limitBytes })
      return found.status === "read" ? { ...found, bytes: String(found.bytes) } : found
    }
    expect(await read(0, 3)).toEqual({ ...whole, offset: 0, bytes: "012" })
    expect(await read(1_048_574, 4)).toEqual({ ...whole, offset: 1_048_574, bytes: "4567" })
    expect(await read(2_499_998, 9)).toEqual({ ...whole, offset: 2_499_998, bytes: "89" })
    expect(await read(2_500_000, 9)).toEqual({ ...whole, offset: 2_500_000, bytes: "" })
    expect(await read(9_000_000, 9)).toEqual({ ...whole, offset: 9_000_000, bytes: "" })
  })

  test("a folder is listed sorted, with the type and size of each entry and links unfollowed", async () => {
    folders.put({ "root/d/b.txt": "12", "root/d/a.txt": "1", "root/d/sub/x": "" })
    symlinkSync("a.txt", join(folders.path, "d/link"))
    execFileSync("mkfifo", [join(folders.path, "d/fifo")])
    expect(await folders.files.list("d")).toEqual({
      status: "listed",
      entries: [
        { path: "d/a.txt", type: "file", size: 1 },
        { path: "d/b.txt", type: "file", size: 2 },
        { path: "d/fifo", type: "other", size: 0 },
        { path: "d/link", type: "link", size: 5 },
        { path: "d/sub", type: "folder", size: 0 },
      ],
    })
    expect(await folders.files.list(".")).toMatchObject({ entries: [{ path: "d" }] })
  })

  test("a place is located with its real path, the root itself included", async () => {
    folders.put({ "root/d/x": "" })
    symlinkSync("d", join(folders.path, "way"))
    const { path } = folders
    expect(await folders.files.locate("way/x")).toEqual({
      status: "located",
      path: "d/x",
      absolute: join(path, "d/x"),
      type: "file",
    })
    expect(await folders.files.locate(path)).toEqual({
      status: "located",
      path: ".",
      absolute: path,
      type: "folder",
    })
  })

  test("links that stay inside work: relative, absolute, to folders, through each other", async () => {
    folders.put({ "root/real/deep/a": "a" })
    symlinkSync("real", join(folders.path, "relative"))
    symlinkSync(join(folders.path, "real/deep"), join(folders.path, "absolute"))
    symlinkSync("../relative/deep/../deep/a", join(folders.path, "real/again"))
    symlinkSync(folders.path, join(folders.base, "alias"))
    symlinkSync(join(folders.base, "alias/real"), join(folders.path, "by-alias"))
    const ways = ["relative/deep/a", "absolute/a", "real/again", "by-alias/deep/a"]
    for (const way of [...ways, join(folders.base, "alias/relative/deep/a")]) {
      const found = await folders.files.read(way, { limitBytes: 9 })
      expect(found, way).toMatchObject({ status: "read", path: "real/deep/a" })
    }
  })

  test("what leads out is refused, existing or not, by every operation", async () => {
    folders.put({ "outside/secret": "s", "root/d/x": "", "root-twin/x": "" })
    symlinkSync(folders.outside, join(folders.path, "out"))
    symlinkSync("../outside/secret", join(folders.path, "file-out"))
    symlinkSync("../outside/missing", join(folders.path, "dangling-out"))
    symlinkSync("/", join(folders.path, "slash"))
    symlinkSync("file-out", join(folders.path, "chain"))
    symlinkSync("..", join(folders.path, "d/up"))

    const ways = [
      "..",
      "../outside/secret",
      "d/../../outside/secret",
      "d/up/../outside/secret",
      "out/secret",
      "out/missing",
      "out/../outside/secret",
      "file-out",
      "dangling-out",
      "chain",
      "slash/etc/passwd",
      "/etc/passwd",
      "/",
      join(folders.outside, "secret"),
      join(folders.base, "root-twin/x"),
      `${folders.path}/../outside/secret`,
      "/proc/self/root/etc/passwd",
    ]
    for (const path of ways) {
      const refused = expect.objectContaining({ status: "refused", error: "outside_root", path })
      expect(await folders.files.read(path, { limitBytes: 9 }), path).toEqual(refused)
      expect(await folders.files.window(path, { offset: 0, limitBytes: 9 })).toEqual(refused)
      expect(await folders.files.list(path)).toEqual(refused)
      expect(await folders.files.locate(path)).toEqual(refused)
      const bytes = new Uint8Array(1)
      for (const expected of ["absent", sha256("s")]) {
        expect(await folders.files.replace(path, bytes, { expected }), path).toEqual(refused)
      }
    }
    expect(readdirSync(folders.outside)).toEqual(["secret"])
    expect(folders.evidence.links).toEqual([])
  })

  test("what is no regular file is refused without opening it", async () => {
    mkdirSync(join(folders.path, "folder"))
    execFileSync("mkfifo", [join(folders.path, "fifo")])
    const server = createServer().listen(join(folders.path, "socket"))
    await new Promise(resolve => server.once("listening", resolve))
    for (const path of ["folder", "fifo", "socket", "."]) {
      const refused = expect.objectContaining({ status: "refused", error: "not_a_file", path })
      expect(await folders.files.read(path, { limitBytes: 9 })).toEqual(refused)
      expect(await folders.files.window(path, { offset: 0, limitBytes: 9 })).toEqual(refused)
      expect(await folders.files.replace(path, new Uint8Array(1), { expected: "absent" })).toEqual(
        refused,
      )
    }
    server.close()
  })

  test("a path that is none is refused: empty, NUL, half a character, too long", async () => {
    for (const path of ["", "a\0b", "\ud800", "x".repeat(300)]) {
      expect(await folders.files.read(path, { limitBytes: 9 }), JSON.stringify(path)).toMatchObject(
        { status: "refused", error: "invalid_path" },
      )
    }
  })

  test("what is missing, and what is below a file, is named so", async () => {
    folders.put({ "root/a": "" })
    symlinkSync("loop", join(folders.path, "loop"))
    const read = (path: string) => folders.files.read(path, { limitBytes: 9 })
    expect(await read("b")).toMatchObject({ error: "not_found", message: "b does not exist." })
    expect(await read("b/../a")).toMatchObject({ error: "not_found" })
    expect(await read("a/b")).toMatchObject({ error: "not_a_folder" })
    expect(await folders.files.list("a")).toMatchObject({ error: "not_a_folder" })
    expect(await read("loop")).toMatchObject({ error: "unreadable" })
  })

  test("a file with a second name outside is a file of the root", async () => {
    folders.put({ "outside/shared": "s" })
    linkSync(join(folders.outside, "shared"), join(folders.path, "shared"))
    expect(await folders.files.read("shared", { limitBytes: 9 })).toMatchObject({ status: "read" })
  })
})
