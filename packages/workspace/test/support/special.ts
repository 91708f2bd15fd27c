import { execFileSync } from "node:child_process"
import { createServer } from "node:net"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** A FIFO and a socket: to open either would wait, or fail in its own way. */
export async function makeSpecial(folder: string): Promise<void> {
  execFileSync("mkfifo", [join(folder, "fifo")])
  const server = createServer().listen(join(folder, "socket"))
  await new Promise(resolve => server.once("listening", resolve))
  onTestFinished(() => void server.close())
}
