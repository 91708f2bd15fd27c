import { type FileHandle, open, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { failure, imageBytesMost, type KernelCommand, mediaTypeOf } from "@harness/protocol"

type SentImage = NonNullable<Extract<KernelCommand, { type: "send" }>["images"]>[number]

/**
 * The files that `--image` names, read before anything is started. Throws `image_unusable` for one
 * that is not there, is no file, is too large to be read, or does not begin as an image does.
 */
export async function readImages(paths: readonly string[], cwd: string): Promise<SentImage[]> {
  const images: SentImage[] = []
  for (const path of paths) images.push(await readImage(path, cwd))
  return images
}

async function readImage(path: string, cwd: string): Promise<SentImage> {
  const unusable = (reason: string) => failure("image_unusable", { image: path, reason })
  const file = resolve(cwd, path)
  let handle: FileHandle | undefined
  try {
    // Asked before it is opened: a pipe would be waited for.
    if (!(await stat(file)).isFile()) throw unusable("is not a file")
    handle = await open(file)
    const { size } = await handle.stat()
    if (size > imageBytesMost) {
      throw unusable(`has ${size} bytes; at most ${imageBytesMost} are read`)
    }
    const bytes = await handle.readFile()
    if (bytes.length === 0) throw unusable("is empty")
    if (mediaTypeOf(bytes) === null) throw unusable("is not a PNG, JPEG, GIF or WebP image")
    return { name: path, base64: bytes.toString("base64") }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ENOENT" || code === "ENOTDIR") throw unusable("is not there")
    if (code === "EACCES" || code === "EPERM") throw unusable("cannot be read: permission denied")
    throw error
  } finally {
    await handle?.close()
  }
}
