import type { JsonObject } from '../values/event.ts'
import type { Model, Unique } from './model.ts'

/** A value that only one stream at a time may hold. */
export interface ClaimWanted {
  /** What is unique, and where: `contacts/tag.name:<workspace>`. */
  readonly scope: string
  readonly value: string
  /** The value is personal: only a keyed digest of it is kept. */
  readonly personal?: boolean
  /** The field to blame and the sentence when somebody else holds it. */
  readonly field: string
  readonly says: string
}

/** The claim of a record on values that are to be unique; `undefined` while it has not all of them. */
export const claimOn = (
  { name, attributes }: Model,
  { attributes: names, within = 'workspace', scope, says }: Unique,
  values: JsonObject,
  workspaceId: number | undefined,
): ClaimWanted | undefined => {
  const parts = names.map((one) => values[one] ?? null)
  if (parts.some((part) => part === null || part === '')) return undefined
  const owner = within === 'workspace' ? workspaceId : values[within]
  const [field = ''] = names
  return {
    scope: `${scope ?? `${name}.${names.join('+')}`}${within === 'everywhere' ? '' : `:${owner}`}`,
    value: parts.join('\n'),
    field,
    says,
    ...(attributes[field]?.personal && { personal: true }),
  }
}
