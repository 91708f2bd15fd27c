import * as z from "zod"

/** A short name as packages, kinds, providers and actions have it: `provider-replay`, `read_file`. */
const Name = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "must be lower-case letters, digits, - or _")

/** A subpath of the package's `exports` (`.` or `./kinds/project`) that exports the definition. */
const Module = z.string().regex(/^\.(\/[\w.-]+)*$/, 'must be "." or a subpath such as "./kind"')

const Contribution = z.strictObject({ name: Name, module: Module.default(".") })

const ProviderContribution = Contribution.extend({
  /** How the names of its models begin: such a model needs no provider's name before it. */
  models: z.array(z.string().min(1)).optional(),
})

/** What a package may do, shown at the consent and bound to the installed content. */
export const Capability = z.enum(["files", "processes", "network", "screen", "input"])
export type Capability = z.infer<typeof Capability>

/**
 * The `harness` key of a package.json. Read and validated before any of the package's code runs.
 *
 * @example
 * { "api": 1, "contributes": { "kinds": [{ "name": "project", "module": "." }] }, "capabilities": ["files"] }
 */
export const Manifest = z.strictObject({
  api: z.literal(1),
  contributes: z
    .strictObject({
      kinds: z.array(Contribution).default([]),
      providers: z.array(ProviderContribution).default([]),
      programs: z
        .array(z.strictObject({ language: Name, module: Module.default(".") }))
        .default([]),
      policies: z.array(Contribution).default([]),
    })
    .prefault({}),
  capabilities: z.array(Capability).default([]),
})
export type Manifest = z.infer<typeof Manifest>

/** The parts of a package.json that harness reads. */
export const PackageJson = z.looseObject({
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  harness: z.unknown().optional(),
})
export type PackageJson = z.infer<typeof PackageJson>
