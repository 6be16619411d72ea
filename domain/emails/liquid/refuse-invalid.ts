import { type Detail, type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { checkLiquid } from './parse.ts'

/** Refuses the texts of a record that are no Liquid, except those that it has already. */
export const refuseInvalid = <Name extends string>(
  names: readonly Name[],
  {
    before,
    after,
  }: {
    readonly before: { readonly [name in Name]: string | null } | undefined
    readonly after: { readonly [name in Name]: string | null }
  },
): Refusal | undefined => {
  const problems = names.flatMap((field): Detail[] => {
    const text = after[field]
    const message = text === null || text === before?.[field] ? undefined : checkLiquid(text)
    return message === undefined ? [] : [{ field, code: 'invalid', message }]
  })
  return problems.length > 0 ? refuse.invalidFields(problems) : undefined
}
