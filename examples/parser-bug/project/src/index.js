export { formatCsv } from "./format.js"
export { parseCsv } from "./parse.js"
