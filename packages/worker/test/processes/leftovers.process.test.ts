import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { makePool, type TestPool, tagged, until } from "../support/pool.ts"

let pool: TestPool

beforeEach(() => {
  pool = makePool({ limits: { grace_seconds: 0.5 } })
})

afterEach(async () => {
  await pool.dispose()
})

test("a background child that holds the output is ended with its leader", async () => {
  const { receipt } = await pool.run({ shell: "sleep 600 & echo done" })
  expect(receipt).toMatchObject({ status: "exited", exit_code: 0, output_bytes: 5 })
  expect(receipt.elapsed_seconds).toBeLessThan(60)
  await until(() => tagged(pool.tag).length === 0)
})

test("a background child that ignores TERM does not hold up the receipt and gets KILL", async () => {
  const shell = "(trap '' TERM; while :; do sleep 0.05; done) & sleep 0.1; echo done"
  const { receipt } = await pool.run({ shell })
  expect(receipt).toMatchObject({ status: "exited", exit_code: 0, output_bytes: 5 })
  expect(tagged(pool.tag)).not.toEqual([])
  await until(() => tagged(pool.tag).length === 0)
})

test("a daemon that holds the output does not hold up the receipt, nor write into the next one's", async () => {
  const daemon =
    "setsid sh -c 'trap \"\" PIPE; while :; do echo stray; sleep 0.02; done' & sleep 0.2; echo done"
  const { receipt } = await pool.run({ shell: daemon })
  expect(receipt).toMatchObject({ status: "exited", exit_code: 0 })
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await pool.run({ shell: "echo clean" })).preview).toBe("clean\n")
  }
  expect(tagged(pool.tag)).not.toEqual([])
  await pool.pool.close()
  expect(tagged(pool.tag)).toEqual([])
})

test("closing leaves no group, no daemon, no named pipe", async () => {
  const shell = `
    trap '' TERM
    setsid sleep 600 &
    (setsid sh -c 'sleep 600 & sleep 600' &)
    nohup sleep 600 >/dev/null 2>&1 &
    echo up
    sleep 600`
  const running = [1, 2, 3].map(() => pool.run({ shell }))
  await until(() => pool.seen() === "up\n".repeat(3) && tagged(pool.tag).length >= 18)
  const receipts = await pool.pool.close()
  expect(receipts.map(({ status }) => status)).toEqual(Array(3).fill("session_closed"))
  expect(tagged(pool.tag)).toEqual([])
  const names = readdirSync(join(pool.folders.artifacts, "processes"))
  expect(names.filter(name => name.startsWith("."))).toEqual([])
  await Promise.all(running)
})

test("a process substitution that outlives the shell is read to its end", async () => {
  const { receipt, preview } = await pool.run({
    shell: "exec > >(tee log) 2>&1; echo one; echo two >&2; true",
    shellPath: "/bin/bash",
  })
  expect(receipt).toMatchObject({ status: "exited", exit_code: 0 })
  expect(preview).toBe("one\ntwo\n")
})
