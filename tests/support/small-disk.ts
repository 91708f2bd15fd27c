import { execFileSync } from "node:child_process"
import { statfsSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts"

/** A folder on a file system of its own, which can be filled. Linux; as root, or with sudo. */
export type SmallDisk = {
  path: string
  /** Fills it until so many bytes are left. */
  fill(freeBytes: number): void
  /** Takes away what filled it. */
  free(): Promise<void>
  remove(): Promise<void>
}

/**
 * Mounts a file system in memory.
 *
 * @example
 * const disk = await smallDisk({ megabytes: 40 })
 * onTestFinished(() => disk.remove())
 */
export async function smallDisk({ megabytes }: { megabytes: number }): Promise<SmallDisk> {
  const outer: TemporaryFolder = await temporaryFolder({ disk: null })
  const path = outer.at("disk")
  const filling = join(path, "filling")
  const options = `size=${megabytes}m,mode=700,uid=${process.getuid?.()},gid=${process.getgid?.()}`
  asRoot("mount", "-t", "tmpfs", "-o", options, "tmpfs", path)

  return {
    path,
    fill(freeBytes) {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(filling, Buffer.alloc(Math.max(bavail * bsize - freeBytes, 0)))
    },
    free: () => rm(filling, { force: true }),
    async remove() {
      asRoot("umount", "--lazy", path)
      await outer.remove()
    },
  }
}

function asRoot(...command: string[]): void {
  const [program = "", ...args] = process.getuid?.() === 0 ? command : ["sudo", "-n", ...command]
  execFileSync(program, args)
}
