import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import type { Mount } from "../../src/bubblewrap/mounts.ts"
import { expectedMounts, verified } from "../../src/bubblewrap/verification.ts"

const host = [
  "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw",
  "23 22 0:5 / /dev rw - devtmpfs devtmpfs rw",
  "24 22 0:30 /@home /home rw - btrfs /dev/vdb rw",
  "25 24 0:31 / /home/u/my\\040app/node_modules rw - tmpfs tmpfs rw",
  "",
].join("\n")

const root = "/home/u/my app"
const mounts: Mount[] = [
  { type: "fresh", path: "/tmp" },
  { type: "writable", path: root },
  { type: "pin", path: `${root}/.git` },
  { type: "readonly", path: `${root}/.git/hooks` },
  { type: "readonly", path: `${root}/node_modules/.pnpm` },
  { type: "pin", path: `${root}/node_modules` },
  { type: "hidden", path: `${root}/.harness`, of: "folder" },
  { type: "hidden", path: `${root}/.npmrc`, of: "file" },
  { type: "hidden", path: "/home/u/.ssh", of: "folder" },
]

test("each mount of and in a writable folder is expected at its place, of the device that the host has there", () => {
  expect(expectedMounts(mounts, host)).toEqual([
    "0:30 /@home/u/my\\040app /home/u/my\\040app",
    "0:30 /@home/u/my\\040app/.git /home/u/my\\040app/.git",
    "0:30 /@home/u/my\\040app/.git/hooks /home/u/my\\040app/.git/hooks",
    "0:31 /.pnpm /home/u/my\\040app/node_modules/.pnpm",
    "0:31 / /home/u/my\\040app/node_modules",
    "- / /home/u/my\\040app/.harness",
    "0:5 /null /home/u/my\\040app/.npmrc",
  ])
})

test("a command starts when its mounts are there, and not when one of them is elsewhere", () => {
  const [, , device, from, point] = lineOfProc()
  const proc: Mount[] = [{ type: "writable", path: "/proc" }]
  const there = `1 1 ${device} ${from} ${point} rw - proc proc rw\n`
  const elsewhere = `1 1 ${device} /elsewhere ${point} rw - proc proc rw\n`

  const command = (...argv: string[]) => ({ argv, env: {} })

  expect(run(verified(command("echo", "a  b", "*"), proc, there))).toBe("a  b *\n")
  expect(() => run(verified(command("echo", "started"), proc, elsewhere))).toThrow(
    "harness: the project changed while its sandbox was made; nothing was started",
  )
})

test("the command has its own variables and no others, whatever their names", () => {
  const env = {
    ...{ "with-dash": "1", UID: "7", IFS: "x", OPTIND: "y", PATH: "/bin:/usr/bin", EMPTY: "" },
    ...{
      expected: "e",
      variables: "v",
      QUOTED: "it's $HOME `x` \\ \"",
      LINES: "a\nb\n",
      Ünlaut: "Á",
    },
  }

  // The shell adds where it is.
  const found = run(verified({ argv: ["env", "-0", "-u", "PWD"], env }, [], ""))

  const expected = Object.entries(env).map(entry => `${entry.join("=")}\0`)
  expect(found.split(/(?<=\0)/).sort()).toEqual(expected.sort())
})

test("the arguments of a command that looks do not hold its variables", () => {
  const { argv } = verified({ argv: ["make"], env: { TOKEN: "sesame" } }, [], "")

  expect(argv.join(" ")).not.toContain("sesame")
})

function lineOfProc(): string[] {
  const list = execFileSync("cat", ["/proc/self/mountinfo"], { encoding: "utf8" })
  return (
    list
      .split("\n")
      .map(line => line.split(" "))
      .find(fields => fields[4] === "/proc") ?? []
  )
}

function run({ argv: [program = "", ...args], env }: ReturnType<typeof verified>): string {
  return execFileSync(program, args, { env, encoding: "utf8", stdio: "pipe" })
}
