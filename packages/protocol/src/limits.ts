import * as z from "zod"

/** No configuration lets a larger file be read as an image. */
export const imageBytesMost = 20 * 1_048_576

/**
 * Every bound of a conversation, with its default. All can be set in `config.jsonc` under `limits`.
 *
 * @example
 * const limits = Limits.parse({ max_steps: 50 })
 */
export const Limits = z.strictObject({
  /** Bytes of one read window; a file is read on with `next_offset`. */
  read_bytes: z.int().min(1).max(64_000).default(12_000),
  /** The largest read window that a call may ask for. */
  read_bytes_max: z.int().min(1).max(1_048_576).default(64_000),
  /** A command's deadline when the call names none. */
  command_seconds: z.number().positive().max(3_600).default(120),
  /** The longest deadline that a call may ask for. */
  command_seconds_max: z.number().positive().max(3_600).default(3_600),
  /** How long a process may take to end after TERM, before KILL. */
  grace_seconds: z.number().positive().max(60).default(2),
  /** The end of an output that a receipt shows: it fits a page and one turn of the model. */
  preview_bytes: z.int().min(0).max(64_000).default(6_000),
  /** Output kept per process; at this size the process is ended with `output_limit`. */
  output_bytes: z
    .int()
    .min(1)
    .default(16 * 1_048_576),
  /** Processes that one environment may run side by side. */
  processes: z.int().min(1).default(16),
  /** Evidence and process output of one conversation, reserved before and settled after. */
  evidence_bytes: z
    .int()
    .min(1)
    .default(256 * 1_048_576),
  /** A program's own time: paused while an action or a person is waited for. */
  program_seconds: z.number().positive().default(600),
  /** A program's whole time: paused only while a person is waited for. */
  program_total_seconds: z.number().positive().default(3_900),
  /** WebAssembly memory of a program's interpreter. */
  program_memory_bytes: z
    .int()
    .min(64 * 1_048_576)
    .default(512 * 1_048_576),
  /** Action calls that one program may make. */
  program_calls: z.int().min(1).default(10_000),
  /** Characters that a program may print; more ends it with `output_limit`. */
  program_output_characters: z.int().min(1).default(1_048_576),
  /** Of a program's output, what the model is shown; of more it gets the name and the beginning. */
  program_output_shown_characters: z.int().min(0).default(30_000),
  /** The beginning shown of an output that is too long. */
  program_output_head_characters: z.int().min(0).default(2_000),
  /** Actions of a program that did not go as usual and are told to the model, most recent last. */
  program_events_shown: z.int().min(0).default(32),
  /**
   * Of one result, what the model is shown at most, and never more than an eighth of its window; of
   * a longer one it gets the beginning, the end and a name.
   */
  result_bytes: z.int().min(1_000).default(128_000),
  /** The largest file that is read as an image. */
  image_bytes: z.int().min(1).max(imageBytesMost).default(imageBytesMost),
  /** Width times height of the largest image that is decoded. */
  image_pixels: z.int().min(1).default(64_000_000),
  /** Images that one message of the user, or one result, may show to the model. */
  images_shown: z.int().min(0).default(8),
  /** Workers that may run side by side; the next one waits. */
  target_workers: z.int().min(1).default(4),
  /** Model requests in one turn. */
  max_steps: z.int().min(1).default(200),
  /** USD that one conversation may cost; null means no bound. */
  max_cost: z.number().positive().nullable().default(null),
  /**
   * Lets a model be asked whose price nobody knows though `max_cost` is set: its requests then count
   * as costing nothing.
   */
  allow_unknown_price: z.boolean().default(false),
  /** Tokens, input and output, that one conversation may use; null means no bound. */
  max_tokens: z.int().min(1).nullable().default(null),
  /**
   * Time that one turn may take, without what people take to answer; null means no bound. Whatever
   * goes on at its end is ended: a request, a wait, an action.
   */
  max_wall_seconds: z.number().positive().nullable().default(null),
})
export type Limits = z.infer<typeof Limits>
