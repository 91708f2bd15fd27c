export { costOf } from "./cost.ts"
export { type ProviderOfOptions, providerOf } from "./provider-of.ts"
