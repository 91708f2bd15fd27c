export { type HttpFetchOptions, httpFetch } from "./http-fetch.ts"
export { type ModelCall, type ProviderOfOptions, providerOf } from "./provider-of.ts"
export type { RetryOptions } from "./retry.ts"
