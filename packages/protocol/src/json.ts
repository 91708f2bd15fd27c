import * as z from "zod"

/** A JSON value: what crosses every boundary of harness (records, events, IPC, results). */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** An object whose values are JSON. Results of actions and their inputs are of this shape. */
export type JsonObject = { [key: string]: Json }

export const Json: z.ZodType<Json> = z.json()

export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), Json)

/** A sha256 in lower-case hexadecimal, 64 characters. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "is not a sha256 in hexadecimal")
