import { existsSync, readdirSync, readFileSync } from "node:fs"

/**
 * What Linux tells about running processes. Elsewhere there is nothing to read, and what depends on
 * it is not measured.
 *
 * @typedef {{ pid: number, parent: number, session: number, state: string, command: string, cpuMs: number, cpuWithChildrenMs: number }} Process
 */

export const canRead = existsSync("/proc/self/smaps_rollup")

/** Linux counts in hundredths of a second, whatever the kernel's own clock does. */
const tickMs = 10

/**
 * Where each process of one run can be recognised: it descends from the first one, lies in its
 * session (also after its parent has gone) or has the run's own temporary folder in its environment.
 *
 * @param {{ root: number, temporaryFolder: string }} run
 * @returns {Process[]}
 */
export function processesOf({ root, temporaryFolder }) {
  const all = everyProcess()
  const marker = `\0TMPDIR=${temporaryFolder}\0`
  const belongs = new Set(
    all
      .filter(each => each.pid === root || each.session === root || carries(each.pid, marker))
      .map(each => each.pid),
  )

  for (let before = -1; before !== belongs.size; ) {
    before = belongs.size
    for (const each of all) if (belongs.has(each.parent)) belongs.add(each.pid)
  }
  return all.filter(each => belongs.has(each.pid))
}

/**
 * The memory that is a process's own, plus its share of what it has in common with others.
 *
 * @param {number} pid
 * @returns {number} bytes; 0 when it is gone
 */
export function pssBytesOf(pid) {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? "0"
  return Number(kilobytes) * 1024
}

/**
 * A moment to compare with a later one.
 *
 * @param {number[]} ownPids processes of the bench itself
 * @returns {{ atMs: number, busyMs: number, ownMs: number }} CPU time of the machine and of those
 */
export function machineNow(ownPids) {
  const own = ownPids.map(pid => processOf(`${pid}`)?.cpuMs ?? 0)
  return { atMs: monotonicMs(), busyMs: busyMs(), ownMs: own.reduce((sum, each) => sum + each, 0) }
}

/** Milliseconds of a clock that every process of the machine reads alike. */
export function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6
}

function busyMs() {
  const [, user, nice, system, , , interrupts, softInterrupts] = read("/proc/stat").split(/\s+/)
  const counted = [user, nice, system, interrupts, softInterrupts]
  return counted.reduce((sum, each) => sum + Number(each ?? 0), 0) * tickMs
}

function everyProcess() {
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => processOf(name) ?? [])
}

/**
 * @param {string} pid
 * @returns {Process | undefined}
 */
function processOf(pid) {
  const line = read(`/proc/${pid}/stat`)
  const nameEnds = line.lastIndexOf(")")
  if (nameEnds < 0) return undefined

  const fields = line.slice(nameEnds + 2).split(" ")
  const number = (/** @type {number} */ index) => Number(fields[index])
  const cpuMs = (number(11) + number(12)) * tickMs
  return {
    pid: Number(pid),
    parent: number(1),
    session: number(3),
    state: fields[0] ?? "",
    command: line.slice(line.indexOf("(") + 1, nameEnds),
    cpuMs,
    cpuWithChildrenMs: cpuMs + (number(13) + number(14)) * tickMs,
  }
}

/**
 * @param {number} pid
 * @param {string} marker
 */
function carries(pid, marker) {
  return `\0${read(`/proc/${pid}/environ`)}`.includes(marker)
}

/**
 * A process may end, or be another user's, while it is looked at.
 *
 * @param {string} file
 */
function read(file) {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}
