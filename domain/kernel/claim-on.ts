import type { ClaimWanted } from './decider.ts'
import type { JsonObject } from './event.ts'
import type { Model, Unique } from './model.ts'

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
