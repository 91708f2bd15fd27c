import type { Manifest, PackageSource } from "@harness/protocol"

/** A package's source for people: `linked from /home/me/kind`, `npm:name@1.2.3`. */
export function sourceInWords(source: PackageSource): string {
  switch (source.type) {
    case "builtin":
      return "ships with harness"
    case "registry":
      return `npm:${source.spec.replace(/^npm:/, "")}`
    case "folder":
    case "tarball":
      return source.path
    case "link":
      return `linked from ${source.path}`
    case "project":
      return `project ${source.path}`
  }
}

/** What a manifest brings, one text each, as `list` has it: `kind project`, `programs python`. */
export function contributionsOf({ contributes }: Manifest): string[] {
  const { kinds, providers, programs, policies } = contributes
  return [
    ...kinds.map(({ name }) => `kind ${name}`),
    ...providers.map(({ name }) => `provider ${name}`),
    ...programs.map(({ language }) => `programs ${language}`),
    ...policies.map(({ name }) => `policy ${name}`),
  ]
}
