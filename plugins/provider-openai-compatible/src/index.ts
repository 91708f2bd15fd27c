export { openAICompatible } from "./provider.ts"
