const brand = Symbol.for("@harness/definition")

/** What a package can define. */
export type DefinitionType = "kind" | "provider" | "programs" | "policy"

/** Marks a definition, so that every copy of the sdk recognises it. */
export interface Definition<Type extends DefinitionType> {
  readonly [brand]: Type
  readonly name: string
}

export function define<Type extends DefinitionType, Body extends { readonly name: string }>(
  type: Type,
  body: Body,
): Body & Definition<Type> {
  return Object.freeze({ ...body, [brand]: type })
}

/** True for a definition of that type made by any copy of the sdk. */
export function isDefinition<Type extends DefinitionType>(
  value: unknown,
  type: Type,
): value is Definition<Type> {
  return typeof value === "object" && value !== null && brand in value && value[brand] === type
}
