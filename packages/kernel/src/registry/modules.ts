import { statSync } from "node:fs"
import { extname, isAbsolute, join, relative, sep } from "node:path"
import { type Exports, exports } from "resolve.exports"
import * as z from "zod"
import { contributionsOf, type PackageFields } from "./package.ts"

/** The file that a subpath of a package leads to, or why it leads to none. */
export type FoundModule = { status: "ok"; file: string } | { status: "invalid"; reason: string }

/**
 * Follows a subpath through the package's own `exports`. A linked checkout offers its TypeScript
 * under the condition `@harness/source`; an installed package may not, since Node runs no TypeScript
 * below node_modules.
 */
export function findModule(
  folder: string,
  { fields }: PackageFields,
  subpath: string,
  linked: boolean,
): FoundModule {
  const invalid = (reason: string): FoundModule => {
    return { status: "invalid", reason: `its module "${subpath}" ${reason}` }
  }

  const target = targetOf(fields, subpath, linked)
  if (target === undefined) return invalid("is not among its exports")

  const file = join(folder, target)
  if (leaves(folder, file)) return invalid(`leads out of the package, to ${target}`)
  if (!isFile(file)) {
    return invalid(`leads to ${target}, which does not exist: build the package first`)
  }
  if (!linked && typescript.has(extname(file))) {
    return invalid(`leads to ${target}, which Node runs only in place: build it, or use --link`)
  }
  return { status: "ok", file }
}

/** The files of everything that the package brings, or the first reason why one is missing. */
export function findModules(
  folder: string,
  fields: PackageFields,
  linked: boolean,
): { status: "ok"; files: string[] } | { status: "invalid"; reason: string } {
  const files = new Set<string>()

  for (const { module } of contributionsOf(fields.manifest)) {
    const found = findModule(folder, fields, module, linked)
    if (found.status === "invalid") return found
    files.add(found.file)
  }
  return { status: "ok", files: [...files] }
}

const typescript = new Set([".ts", ".mts", ".cts", ".tsx"])

function targetOf(
  fields: PackageFields["fields"],
  subpath: string,
  linked: boolean,
): string | undefined {
  if (fields.exports === undefined) return subpath === "." ? mainOf(fields) : undefined
  try {
    const conditions = linked ? ["@harness/source"] : []
    const shape = Shape.parse(fields)
    const [target] = exports(shape, subpath, { conditions }) ?? []
    return target
  } catch {
    return undefined // it throws for a subpath that is not there, and for exports without sense
  }
}

function mainOf(fields: PackageFields["fields"]): string {
  return z.string().min(1).catch("./index.js").parse(fields.main)
}

const ExportsValue: z.ZodType<Exports.Value> = z.lazy(() =>
  z.union([
    z.templateLiteral(["./", z.string()]),
    z.null(),
    z.array(ExportsValue),
    z.record(z.string(), ExportsValue),
  ]),
)

const Shape = z.object({
  name: z.string(),
  exports: z.union([z.templateLiteral(["./", z.string()]), z.record(z.string(), ExportsValue)]),
})

function leaves(folder: string, file: string): boolean {
  const path = relative(folder, file)
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}
