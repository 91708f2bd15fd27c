export type {
  Effect,
  EvidenceLink,
  ImageTaken,
  Json,
  JsonObject,
  Limits,
  PermitWanted,
  Preview,
  ProcessReceipt,
} from "@harness/protocol"
export { type Definition, type DefinitionType, isDefinition } from "./brand.ts"
export type * from "./environment.ts"
export * from "./kind.ts"
export * from "./policy.ts"
export * from "./programs.ts"
export * from "./provider.ts"
export type * from "./stores.ts"
export * from "./tool-view.ts"
export * as z from "./zod.ts"
