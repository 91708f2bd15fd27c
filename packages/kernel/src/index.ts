export { homeFolder } from "./config/home.ts"
export type { KernelOptions } from "./context.ts"
export { createKernel, type Kernel } from "./kernel.ts"
export type { BuiltinPackage } from "./registry/registry.ts"
