export { describeConversationLog, type LogSuite, type LogUnderTest } from "./conversation-log.ts"
export {
  describeEvidenceStore,
  type EvidenceSuite,
  type EvidenceUnderTest,
} from "./evidence-store.ts"
export { describeKind } from "./kind.ts"
export {
  describeProvider,
  type ProviderScenario,
  type ProviderSuite,
  type ProviderUnderTest,
  type ScenarioMessage,
} from "./provider.ts"
