// The bin as `src/main.ts` has it, with what a test may change in its surroundings by variables.
import { throughJson } from "../../src/boundary.ts"
import { compose } from "../../src/compose.ts"
import { runHere } from "../../src/process.ts"

const { TEST_BOUNDARY, TEST_TERMINAL } = process.env

await runHere(process.argv.slice(2), {
  // Both directions of the kernel's face go through JSON and the schemas.
  ...(TEST_BOUNDARY === "json" && {
    compose: async context => throughJson(await compose(context)),
  }),
  // Standard input and error are taken for a terminal with a person at it.
  ...(TEST_TERMINAL === "yes" && {
    stdin: { isTTY: true, open: () => process.stdin },
    stderr: {
      isTTY: true,
      columns: 80,
      closed: new AbortController().signal,
      write: text => void process.stderr.write(text),
    },
  }),
})
