import { readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"

/**
 * The ids of the processes (of Linux) whose arguments or environment hold the text. One that has
 * ended and was not waited for has neither.
 */
export async function processesWith(text: string): Promise<number[]> {
  const ids = await processIds()
  const held = await Promise.all(ids.map(id => holds(id, text)))
  return ids.filter((id, index) => held[index] && id !== process.pid)
}

/** The ids of the processes (of Linux) that a process has started, and those that they have. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const parents = await Promise.all(
    (await processIds()).map(async id => ({ id, parent: await parentOf(id) })),
  )
  const below = (parent: number): number[] =>
    parents.flatMap(each => (each.parent === parent ? [each.id, ...below(each.id)] : []))
  return below(pid)
}

/** Bytes of a process (of Linux): what it has now, or the most that it had. */
export function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1_024
}

/** What each process below one was started as, and with which environment. */
export async function startedBelow(
  pid: number,
): Promise<{ command: string; environment: string }[]> {
  const read = (id: number, name: string) => readFile(`/proc/${id}/${name}`, "utf8").catch(() => "")
  return Promise.all(
    (await descendantsOf(pid)).map(async id => ({
      command: (await read(id, "cmdline")).replaceAll("\0", " "),
      environment: await read(id, "environ"),
    })),
  )
}

/** Those of the ids that still belong to a process that has not ended. */
export async function stillRunning(ids: readonly number[]): Promise<number[]> {
  const states = await Promise.all(ids.map(stateOf))
  return ids.filter((_id, index) => !["gone", "Z"].includes(states[index] ?? "gone"))
}

async function processIds(): Promise<number[]> {
  return (await readdir("/proc")).filter(name => /^\d+$/.test(name)).map(Number)
}

async function parentOf(id: number): Promise<number> {
  return Number((await fieldsOf(id))[1])
}

async function stateOf(id: number): Promise<string> {
  return (await fieldsOf(id))[0] ?? "gone"
}

/** What /proc says of a process after its name, which may hold anything: state, parent, … */
async function fieldsOf(id: number): Promise<string[]> {
  const text = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "")
  const end = text.lastIndexOf(")")
  return end < 0 ? [] : text.slice(end + 2).split(" ")
}

async function holds(id: number, text: string): Promise<boolean> {
  const read = (name: string) => readFile(`/proc/${id}/${name}`, "utf8").catch(() => "")
  const [line, environment] = await Promise.all([read("cmdline"), read("environ")])
  return line.includes(text) || environment.includes(text)
}
