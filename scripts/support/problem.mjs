/**
 * A failure that its one sentence explains: what is wrong with which thing, and the next step.
 *
 * @param {string} sentence
 */
export function problem(sentence) {
  return Object.assign(new Error(sentence), { explained: true })
}

/**
 * Runs a script's main function. Its number is the exit code; an explained problem prints as one
 * line, anything else with its stack.
 *
 * @param {() => Promise<number>} main
 */
export async function runScript(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    process.stderr.write(`harness: ${told(error)}\n`)
    process.exitCode = 1
  }
}

/** @param {unknown} error */
function told(error) {
  if (!(error instanceof Error)) return String(error)
  return "explained" in error ? error.message : error.stack
}
