import { resolve } from "node:path"
import type { Kernel } from "@harness/kernel"
import type { Invocation } from "../invocation.ts"

/** Lends the kernel to a command that needs it once, and closes it however the command ends. */
export async function withKernel<Result>(
  { compose, env, cwd }: Invocation,
  use: (kernel: Kernel) => Promise<Result>,
): Promise<Result> {
  const kernel = await compose({ env, cwd })
  try {
    return await use(kernel)
  } finally {
    await kernel.close()
  }
}

/** The part of a command that names a folder, resolved here: the kernel need not run in this one. */
export function folderIn(cwd: string, folder: string | undefined): { folder?: string } {
  return folder === undefined ? {} : { folder: resolve(cwd, folder) }
}
