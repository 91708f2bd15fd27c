import { readdir, readFile } from "node:fs/promises"

/**
 * The ids of the processes (of Linux) whose arguments or environment hold the text. One that has
 * ended and was not waited for has neither.
 */
export async function processesWith(text: string): Promise<number[]> {
  const ids = (await readdir("/proc")).filter(name => /^\d+$/.test(name)).map(Number)
  const held = await Promise.all(ids.map(id => holds(id, text)))
  return ids.filter((id, index) => held[index] && id !== process.pid)
}

async function holds(id: number, text: string): Promise<boolean> {
  const read = (name: string) => readFile(`/proc/${id}/${name}`, "utf8").catch(() => "")
  const [line, environment] = await Promise.all([read("cmdline"), read("environ")])
  return line.includes(text) || environment.includes(text)
}
