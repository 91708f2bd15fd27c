import { existsSync, globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { expect, test } from "vitest"
import { root } from "./tree.ts"

type Link = { from: string; target: string }

test("every relative link of every Markdown file leads to a file, and to a heading where it names one", async () => {
  const files = markdownFiles()
  const links = (await Promise.all(files.map(linksOf))).flat()
  const broken = await Promise.all(links.map(problemOf))

  expect(links.length).toBeGreaterThan(50)
  expect(broken.flat()).toEqual([])
})

test("every module that ARCHITECTURE.md names is there", async () => {
  const text = await readFile(at("ARCHITECTURE.md"), "utf8")
  const named = [...text.matchAll(/`([\w./-]+(?:\.ts|\/src\/[\w/-]*\/))`/g)].map(
    ([, name = ""]) => name,
  )
  const places = ["packages", "packages/kernel/src"]

  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(name => !places.some(place => existsSync(at(join(place, name)))))).toEqual([])
})

/** Ours alone: an example's project is somebody else's. */
function markdownFiles(): string[] {
  const places = ["*.md", "docs/**/*.md", "{packages,plugins,examples}/*/*.md", ".changeset/*.md"]
  return globSync(places, { cwd: root })
}

async function linksOf(from: string): Promise<Link[]> {
  const text = withoutCode(await readFile(at(from), "utf8"))
  const found = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => target)
  return found.filter(target => !/^[a-z][a-z+.-]*:/i.test(target)).map(target => ({ from, target }))
}

async function problemOf({ from, target }: Link): Promise<string[]> {
  const [path = "", anchor] = target.split("#")
  const file = path === "" ? from : relative(root, join(root, dirname(from), path))
  if (!existsSync(at(file))) return [`${from}: ${target} does not exist`]
  if (anchor === undefined || !file.endsWith(".md")) return []

  const headings = withoutCode(await readFile(at(file), "utf8")).matchAll(/^#{1,6} (.+)$/gm)
  const anchors = [...headings].map(([, heading = ""]) => anchorOf(heading))
  return anchors.includes(anchor) ? [] : [`${from}: ${target} names no heading of ${file}`]
}

/** As GitHub makes one of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-")
}

function withoutCode(text: string): string {
  return text
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/(?<=^|[^`])`[^`\n]+`/g, code => code.slice(1, -1).replaceAll(/[[\]()]/g, ""))
}

function at(file: string): string {
  return join(root, file)
}
