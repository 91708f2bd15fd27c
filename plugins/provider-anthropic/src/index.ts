export { anthropic } from "./provider.ts"
