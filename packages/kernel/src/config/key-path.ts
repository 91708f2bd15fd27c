/**
 * A place in a JSON document as people write it.
 *
 * @example
 * keyPath(["models", "a/b", "price"]) // models."a/b".price
 * keyPath(["rules", 0, "verdict"]) // rules[0].verdict
 */
export function keyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`
    const name = String(key)
    const written = /^[\w$-]+$/.test(name) ? name : JSON.stringify(name)
    return before === "" ? written : `${before}.${written}`
  }, "")
}
