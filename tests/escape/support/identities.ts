import { execFileSync } from "node:child_process"

/** Who runs the commands. */
export type Identity = {
  name: string
  /** For the system's calls; undefined where nothing is to be changed. */
  ids: { uid: number; gid: number } | undefined
  remove(): void
}

/**
 * Root and an ordinary user, whom we make. Who is no root can make nobody, and stands for the
 * ordinary user alone.
 */
export function makeIdentities(): Identity[] {
  const own = { ids: undefined, remove: () => {} }
  if (process.getuid?.() !== 0) return [{ ...own, name: "an ordinary user" }]
  return [
    { ...own, name: "root" },
    { ...ordinaryUser(), name: "an ordinary user" },
  ]
}

/** A user of this run alone, gone with `remove`. */
function ordinaryUser(): Omit<Identity, "name"> & { login: string } {
  const login = `harness-escape-${process.pid}`
  // These are for root, whose folders a PATH may lack.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
  execFileSync("useradd", ["--system", "--user-group", "--no-create-home", login], { env })
  const id = (option: string) => Number(execFileSync("id", [option, login], { encoding: "utf8" }))
  return {
    login,
    ids: { uid: id("-u"), gid: id("-g") },
    remove: () => void execFileSync("userdel", ["--force", login], { env, stdio: "ignore" }),
  }
}
