export { openDescriptors } from "./descriptors.ts"
export { hiddenPaths } from "./hidden.ts"
export type * from "./provider.ts"
export { type SandboxOptions, sandboxFor } from "./sandbox.ts"
