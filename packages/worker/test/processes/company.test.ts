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
