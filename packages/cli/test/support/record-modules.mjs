// Preloaded with `node --import`: writes the URL of each module that the process loads, one a line.
import { appendFileSync } from "node:fs"
import { registerHooks } from "node:module"

const file = process.env.RECORD_MODULES_TO ?? ""

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith("node:")) appendFileSync(file, `${url}\n`)
    return nextLoad(url, context)
  },
})
