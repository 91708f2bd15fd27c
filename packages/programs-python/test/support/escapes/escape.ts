/**
 * Ways out of an interpreter that were found to work in a plain Pyodide, or were tried on a locked
 * one. Each is the body of a Python function; what it returns is what it reached. `{port}` is a
 * server on loopback, `{file}` a file that must not appear, `{secret}` a file that must not be read.
 */
export type Escape = {
  name: string
  source: string
  /** Matches what stops it. */
  blocked?: RegExp
  /** Why it does not matter that it returns something, and what that must match. */
  harmless?: { why: string; reaches: RegExp }
}
