/** One server-sent event: `data` is sent as JSON, or as it is when it is text. */
export type Frame = { event?: string; data: object | string }

/** A call of the scripted model. Arguments given as text go out as they are: they may be malformed. */
export type WireCall = { id: string; tool: string; arguments: object | string }

export type WireUsage = {
  input: number
  output: number
  cached?: number
  written?: number
  reasoning?: number
}

/** What a scripted model says, in no vendor's words. */
export type WireAnswer = {
  /**
   * Before the text. `state` is what the vendor wants back with it: a signature, encrypted content.
   * Without a text it is reasoning that the vendor does not show.
   */
  reasoning?: readonly { text: string; state?: string }[]
  text?: string
  calls?: readonly WireCall[]
  /** Tokens; `input` is all of it. Default 100 in, 10 out. */
  usage?: WireUsage
  /** `length` is cut off at the output limit; null leaves the end out. Default `stop`. */
  finish?: "stop" | "length" | null
  /** In how many pieces texts and arguments are streamed; default 1. */
  pieces?: number
  /** Waited before the response's headers. */
  delayMs?: number
  /** Waited between the headers and the first event. */
  firstByteMs?: number
  fault?: WireFault
}

/** What goes wrong after so many events. */
export type WireFault = {
  afterFrames: number
  /**
   * `cut` destroys the socket; `end` ends the response early; `hang` sends nothing more; `error` is
   * the vendor's error event; `malformed` is an event that is not JSON, and `unknown` one that no
   * client knows yet: after both the rest follows.
   */
  type: "cut" | "end" | "hang" | "error" | "malformed" | "unknown"
}

/** A refusal; `message` is put into the vendor's form of an error. */
export type WireRefusal = {
  status: number
  message?: string
  headers?: Readonly<Record<string, string>>
  /** In the place of the vendor's form. */
  body?: string
}

/** The connection is closed without a word. */
export type WireDrop = { drop: true }

export type WireReply = WireAnswer | WireRefusal | WireDrop

/** How one vendor's API looks on the wire. */
export interface Dialect {
  /** Where requests go to, below the server's root; the base URL is the part of it that is fixed. */
  readonly basePath: string
  readonly path: (model: string) => string
  /** The events of an answer; `n` is the number of the request, from 0. */
  frames(answer: WireAnswer, n: number): Frame[]
  /** How many times the model has spoken in the conversation of a request. */
  modelTurns(body: unknown): number
  errorBody(refusal: { status: number; message: string }): object
  /** How the vendor refuses a prompt that is larger than the model's window. */
  tooLong(prompt: { tokens: number; window: number }): WireRefusal
  readonly errorFrame: (message: string) => Frame
  readonly unknownFrame: Frame
  /** Sent last, where the stream has an end of its own. */
  readonly lastFrame?: Frame
}

/** How many runs of `true` there are. */
export function runs(flags: readonly boolean[]): number {
  return flags.filter((flag, index) => flag && flags[index - 1] !== true).length
}

/** The pieces of a text, none of them empty. */
export function split(text: string, pieces = 1): string[] {
  if (text === "") return []
  const size = Math.ceil(text.length / pieces)
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

export function argumentsText(call: WireCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments)
}

export const defaultUsage: WireUsage = { input: 100, output: 10 }
