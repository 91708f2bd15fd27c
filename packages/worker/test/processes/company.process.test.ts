import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, test } from "vitest"
import { companyOf } from "../../src/processes/company.ts"

test("a process is alone until another one is there, and again when all the others have left", () => {
  const company = companyOf()

  const first = company.enter()
  const second = company.enter()
  first.leave()
  first.leave()
  const third = company.enter()
  second.leave()
  third.leave()
  const fourth = company.enter()

  expect([first, second, third, fourth].map(({ alone }) => alone)).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test("who left is company while the last of its processes still runs", async () => {
  const company = companyOf()
  const last = spawn("sleep", ["60"], { stdio: "ignore" })
  company.enter().leave(last.pid)

  const beside = company.enter()
  beside.leave()
  last.kill("SIGKILL")
  await once(last, "exit")

  expect([beside.alone, company.enter().alone]).toEqual([false, true])
})
