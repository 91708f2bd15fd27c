export { replay } from "./provider.ts"
