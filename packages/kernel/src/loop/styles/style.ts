import type {
  CallPart,
  JsonObject,
  LimitReason,
  ResultPart,
  ToolDefinition,
} from "@harness/protocol"

/** A call of the model whose arguments are an object. */
export type StyleCall = {
  part: CallPart
  input: JsonObject
  turn: number
  step: number
  /** What its result may show to the model; a longer one is cut, and kept whole. */
  limitBytes: number
  signal: AbortSignal
}

/** What has no room left, so that the turn must end. */
export type RoomReached = Extract<LimitReason, "evidence" | "disk">

export type StyleResult = { part: ResultPart; reached: RoomReached | null }

/** A way of working over the kind's actions: what the model is offered, and what its calls do. */
export interface WorkingStyle {
  readonly instructions: string
  readonly tools: readonly ToolDefinition[]
  /** True when the call only reads, so that it may run beside its neighbours. */
  readsOnly(tool: string, input: JsonObject): boolean
  /** Never rejects for what the call does. The tool is one of `tools`. */
  run(call: StyleCall): Promise<StyleResult>
  /** Called once the first request is on its way: a good moment to start what will be needed. */
  warm(): void
  /** Ends what the style has started. */
  dispose(): Promise<void>
}
