/**
 * The part of zod that describes actions. Named one by one so that a bundler can leave the rest of
 * zod out: a worker loads this, and every kind with it.
 */
export {
  array,
  boolean,
  discriminatedUnion,
  enum,
  type infer,
  type input,
  int,
  json,
  literal,
  looseObject,
  null,
  nullable,
  number,
  object,
  optional,
  type output,
  record,
  strictObject,
  string,
  union,
  unknown,
  type ZodObject,
  type ZodType,
} from "zod"
