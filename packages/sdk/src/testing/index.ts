export { describeKind } from "./kind.ts"
export {
  describeProvider,
  type ProviderScenario,
  type ProviderSuite,
  type ProviderUnderTest,
  type ScenarioMessage,
} from "./provider.ts"
