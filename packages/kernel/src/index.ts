export { homeFolder } from "./config/home.ts"
export { createKernel, type Kernel, type KernelOptions } from "./kernel.ts"
export type { BuiltinPackage } from "./registry/registry.ts"
