export { openai } from "./provider.ts"
