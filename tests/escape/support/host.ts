import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { chmodSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import type { World } from "./world.ts"

/** What runs on the host, outside of every sandbox. */
export type Host = {
  /** Who came, since it was last asked. */
  visits(): string[]
  /** A process of the same user, with a secret in its environment, that nobody may end. */
  bystander: ChildProcess
  variables: Readonly<Record<string, string>>
  close(): void
}

/** Servers on every kind of socket, each of which answers whoever comes. */
export async function startHost(
  { outside, root, identity }: World,
  probeProgram: string,
): Promise<Host> {
  const visits: string[] = []
  const stream = async (name: string, where: string | number) => {
    const server = createServer(socket => {
      visits.push(name)
      socket.on("error", () => {})
      socket.end("host")
    })
    typeof where === "number" ? server.listen(where, "127.0.0.1") : server.listen(where)
    await once(server, "listening")
    return server
  }

  const paths = [join(outside, "run/docker.sock"), join(root, "agent.sock")]
  const abstract = `harness-escape-${process.pid}-${Math.random().toString(36).slice(2)}`
  const tcp = await stream("tcp", 0)
  const others = [
    await stream("path", paths[0] ?? ""),
    await stream("path in the root", paths[1] ?? ""),
    await stream("abstract", `\0${abstract}`),
  ]
  for (const path of paths) chmodSync(path, 0o777)

  const udp = createSocket("udp4", (_, from) => {
    visits.push("udp")
    udp.send("host", from.port, from.address)
  })
  udp.bind(0, "127.0.0.1")
  await once(udp, "listening")

  const ours = await Promise.all(
    ["datagram", "packets"].map(async type => {
      const path = join(outside, `run/${type}.sock`)
      const server = spawn(probeProgram, ["serve", type, path], {
        stdio: ["ignore", "pipe", "inherit"],
      })
      await once(server.stdout, "data")
      server.stdout.on("data", () => visits.push(type))
      return { path, server }
    }),
  )

  const bystander = spawn("sleep", ["600"], {
    ...identity.ids,
    stdio: "ignore",
    env: { HARNESS_FAKE_KEY: "sk-fake-123", PATH: process.env.PATH ?? "" },
  })
  const address = tcp.address()
  const segment = sharedMemory()

  return {
    visits: () => visits.splice(0),
    bystander,
    variables: {
      ABSTRACT: abstract,
      HOST_PID: String(bystander.pid),
      SHM_KEY: segment.key,
      TCP_PORT: String(typeof address === "object" ? address?.port : address),
      UDP_PORT: String(udp.address().port),
    },
    close() {
      for (const each of [tcp, ...others]) each.close()
      udp.close()
      for (const { server } of ours) server.kill("SIGKILL")
      bystander.kill("SIGKILL")
      segment.remove()
      for (const path of [...paths, ...ours.map(each => each.path)]) rmSync(path, { force: true })
    },
  }
}

/** A segment of the host's, found by its key. */
function sharedMemory(): { key: string; remove(): void } {
  const made = execFileSync("ipcmk", ["--shmem", "64", "--mode", "0666"], { encoding: "utf8" })
  const id = /\d+/.exec(made)?.[0] ?? ""
  const lines = readFileSync("/proc/sysvipc/shm", "utf8").split("\n")
  const [key = ""] =
    lines.map(line => line.trim().split(/\s+/)).find(([, each]) => each === id) ?? []
  return { key, remove: () => void execFileSync("ipcrm", ["--shmem-id", id]) }
}
