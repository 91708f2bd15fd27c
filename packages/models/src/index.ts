export { type HttpFetchOptions, httpFetch } from "./http-fetch.ts"
export { type ProviderOfOptions, providerOf } from "./provider-of.ts"
