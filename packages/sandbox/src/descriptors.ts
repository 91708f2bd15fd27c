import { closeSync, openSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Wrapped } from "./provider.ts"

/**
 * Opens what a wrapped command is to be passed as descriptors 3, 4, …, to be closed once it is
 * started. `folder` exists and is not the command's; nothing stays in it. Throws the system's error.
 */
export function openDescriptors(
  { descriptors, input }: Pick<Wrapped, "descriptors" | "input">,
  folder: string,
): number[] {
  const opened: number[] = []
  try {
    for (const file of descriptors) opened.push(openSync(file, "r"))
    if (input !== undefined) opened.push(unnamed(join(folder, "input"), input))
    return opened
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor)
    throw error
  }
}

/** A file without a name that holds a text, to be read from its beginning. */
function unnamed(file: string, text: string): number {
  const descriptor = openSync(file, "wx+", 0o600)
  try {
    unlinkSync(file)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(descriptor, bytes, at, bytes.length - at, at)
    }
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}
