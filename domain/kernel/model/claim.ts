import type { Json, JsonObject } from '../values/event.ts'
import { counterIn } from '../values/sequence-numbers.ts'
import type { Model } from './model.ts'

/** Values that only one record at a time may have within a scope. */
export interface Unique {
  readonly attributes: readonly string[]
  /** Scope: `workspace` (the default), `everywhere` for the installation, or an attribute whose value all of its records share. */
  readonly within?: string
  /** Name of the claim. Default: made from the model and the attributes. */
  readonly scope?: string
  /** Attribute of records that hold the value only where it is free, and are there without it otherwise. */
  readonly ifFree?: string
  /** Returns the spellings of a value. None of them may be taken. Default: the value itself. */
  spellings?(value: string): readonly string[]
  /** Returns what a record claims in its workspace, where that is not the values of its attributes. A value may be a number that is still to be taken. */
  claimed?(values: JsonObject): { readonly scope: string; readonly value: Json | undefined }
  readonly says: string
}

/** A value that only one stream at a time may hold. */
export interface ClaimRequest {
  /** Attributes and the range within which they are unique: `contacts/tag.name:<workspace>`. */
  readonly scope: string
  readonly value: string
  /** The value is personal: the log stores only a keyed digest of it. */
  readonly personal?: boolean
  /** Counter whose next number is the value: the log takes both together. `value` is empty then. */
  readonly counter?: string
  /** It is taken only where it is free. */
  readonly ifFree?: boolean
  /** Field and message of the refusal when another stream holds the value. */
  readonly field: string
  readonly says: string
}

const computedClaim = (
  { attributes: [field = ''], claimed, says }: Unique,
  values: JsonObject,
  workspaceId: number | undefined,
): readonly ClaimRequest[] => {
  if (!claimed) return []
  const { scope, value } = claimed(values)
  const counter = counterIn(value)
  const taken = counter === undefined ? { value: String(value) } : { value: '', counter }
  return [{ scope: `${scope}:${workspaceId}`, ...taken, field, says }]
}

/** Returns the claims of a record on unique values, one for each spelling; none while one of the values is missing. */
export const claimsOn = (
  { name, attributes }: Model,
  unique: Unique,
  values: JsonObject,
  workspaceId: number | undefined,
): readonly ClaimRequest[] => {
  if (unique.claimed) return computedClaim(unique, values, workspaceId)
  const { attributes: names, within = 'workspace', scope, ifFree, spellings, says } = unique
  const parts = names.map((one) => values[one] ?? null)
  if (parts.some((part) => part === null || part === '')) return []
  const owner = within === 'workspace' ? workspaceId : values[within]
  const [field = ''] = names
  const value = parts.join('\n')
  return (spellings?.(value) ?? [value]).map((spelling) => ({
    scope: `${scope ?? `${name}.${names.join('+')}`}${within === 'everywhere' ? '' : `:${owner}`}`,
    value: spelling,
    field,
    says,
    ...(attributes[field]?.personal && { personal: true }),
    ...(ifFree !== undefined && values[ifFree] === true && { ifFree: true }),
  }))
}

/** Returns the claims of a record of the model on these values, by the model's first unique constraint. */
export const claimsFor = (model: Model, values: JsonObject, workspaceId?: number): readonly ClaimRequest[] => {
  const [unique] = model.unique
  return unique ? claimsOn(model, unique, values, workspaceId) : []
}
