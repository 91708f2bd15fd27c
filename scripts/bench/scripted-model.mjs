import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("./server.mjs", import.meta.url))

/**
 * Starts the scripted model's process (`server.mjs`). Its messages are answered one by one, so that
 * a script is in place before the run that it is for begins.
 *
 * @param {string} nodePath
 */
export async function startScriptedModel(nodePath) {
  const child = fork(program, {
    execPath: nodePath,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
  const [{ port }] = await once(child, "message")

  /**
   * @param {string} name
   * @param {unknown} [value]
   */
  const ask = async (name, value) => {
    const answered = once(child, "message")
    child.send({ name, value })
    const [answer] = await answered
    return answer
  }

  return {
    pid: child.pid ?? 0,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** @param {import("./server.mjs").Script} script */
    play: script => ask("script", script),
    /** @param {{ root: number, temporaryFolder: string }} run */
    watch: run => ask("run", run),
    /** @returns {Promise<import("./server.mjs").Recorded>} */
    record: () => ask("record"),
    close: () => child.disconnect(),
  }
}
