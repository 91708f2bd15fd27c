import { createServer } from "node:net"
import { join } from "node:path"
import { expect, test } from "vitest"
import { hostSockets, socketPaths } from "../../src/bubblewrap/sockets.ts"
import { folderWith } from "../support/folder.ts"

test("the paths of sockets are read from the kernel's list, spaces included and names without a path not", () => {
  const list = [
    "Num       RefCount Protocol Flags    Type St Inode Path",
    "0000000000000000: 00000002 00000000 00010000 0001 01 16404 /run/dbus/system bus",
    "0000000000000000: 00000002 00000000 00010000 0001 01 16405 @/tmp/.X11-unix/X0",
    "0000000000000000: 00000003 00000000 00000000 0001 03 16406",
    "0000000000000000: 00000002 00000000 00010000 0001 01 16407 /run/dbus/system bus",
  ].join("\n")

  expect(socketPaths(list)).toEqual(["/run/dbus/system bus"])
})

test("a socket that somebody listens on is found by its real path", async () => {
  const folder = folderWith({ real: null, link: { link: "real" } })
  const server = createServer().listen(join(folder, "link/own.sock"))
  await new Promise(resolve => server.once("listening", resolve))

  expect(hostSockets()).toContainEqual({ path: join(folder, "real/own.sock"), type: "file" })
  server.close()
})
