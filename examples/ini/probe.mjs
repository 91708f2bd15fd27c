// Parses one input with an ini.js in a process of its own and prints, as JSON, what changed beyond
// the result. Everything that the report needs is taken before the parser runs.
import { createRequire } from "node:module"

const [module = "", input = ""] = process.argv.slice(2)
const { log } = console
const { stringify } = JSON
const { getOwnPropertyNames, getOwnPropertyDescriptor, getPrototypeOf, is } = Object
const objectPrototype = Object.prototype
const arrayPrototype = Array.prototype

const shared = new Map([
  ["Object", Object],
  ["Object.prototype", objectPrototype],
  ["Array.prototype", arrayPrototype],
  ["String.prototype", String.prototype],
  ["Function.prototype", Function.prototype],
])
for (const name of getOwnPropertyNames(objectPrototype)) {
  const value = objectPrototype[name]
  if (typeof value === "function") shared.set(`Object.prototype.${name}`, value)
}

const parser = createRequire(import.meta.url)(module)
const before = snapshot()
const changes = []

let result
try {
  result = parser.parse(input)
} catch (error) {
  changes.push(`parse threw ${error}`)
}
compare(before, snapshot())
inspect(result, "the result")
log(stringify(changes))

function snapshot() {
  const values = new Map()
  for (const [name, object] of shared) {
    const own = new Map()
    for (const key of getOwnPropertyNames(object)) {
      own.set(key, getOwnPropertyDescriptor(object, key)?.value)
    }
    values.set(name, own)
  }
  return values
}

function compare(old, now) {
  for (const [name, own] of now) {
    for (const [key, value] of own) {
      if (!old.get(name).has(key)) changes.push(`${name} has gained ${key}`)
      else if (!is(old.get(name).get(key), value)) changes.push(`${name} has another ${key}`)
    }
  }
}

/** The result, and every object in it, must inherit what an object of its sort inherits. */
function inspect(value, name) {
  if (typeof value === "function") changes.push(`${name} is a function of the language`)
  if (typeof value !== "object" || value === null) return

  const expected = Array.isArray(value) ? arrayPrototype : objectPrototype
  if (getPrototypeOf(value) !== expected) changes.push(`${name} inherits from something else`)
  for (const key of getOwnPropertyNames(value)) {
    if (key !== "length") inspect(getOwnPropertyDescriptor(value, key)?.value, `${name}.${key}`)
  }
}
