import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import { inject } from "vitest"
import { run } from "../../scripts/support/children.mjs"

/** A registry that has our packages as they would be published; for others it leads on. */
export type LocalRegistry = { url: string; close(): Promise<void> }

/**
 * Starts it on 127.0.0.1 with every tarball that was packed.
 *
 * @example
 * const registry = await startRegistry("https://packages.example/")
 */
export async function startRegistry(upstream: string): Promise<LocalRegistry> {
  const tarballs = inject("tarballs")
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "/").slice(1)
    const name = path.replace(/\.tgz$/, "")
    const tarball = tarballs[name]
    if (tarball === undefined) {
      response.writeHead(302, { location: new URL(request.url ?? "/", upstream).href }).end()
    } else if (path.endsWith(".tgz")) {
      response.end(await readFile(tarball))
    } else {
      await describe(response, { name, tarball, host: request.headers.host ?? "" })
    }
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the registry has no port")

  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What a registry tells of a package: its one version, with the manifest that is in the tarball. */
async function describe(
  response: ServerResponse,
  { name, tarball, host }: { name: string; tarball: string; host: string },
): Promise<void> {
  const args = ["-xzOf", tarball, "package/package.json"]
  const { output } = await run("tar", args, { captured: true })
  const manifest = JSON.parse(output)
  const sha512 = createHash("sha512")
    .update(await readFile(tarball))
    .digest("base64")
  const dist = { tarball: `http://${host}/${name}.tgz`, integrity: `sha512-${sha512}` }

  response.setHeader("content-type", "application/json")
  response.end(
    JSON.stringify({
      name,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    }),
  )
}
