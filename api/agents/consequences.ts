import { type Field, type FieldTable, initialOf } from '../../domain/kernel/model/field.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'
import type { PublicIds } from '../../domain/kernel/values/public-ids.ts'
import type { Body } from '../../domain/resources/body.ts'
import type { IsUnseen, Wanted } from '../../domain/resources/consequence.ts'
import { ownConsequence } from '../own-consequence.ts'
import type { Route } from '../routes.ts'

const bodyOf = ({ operation }: Route): Body | undefined => ('body' in operation ? operation.body : undefined)

/** Returns all that a client may have meant as fields: what stands under the root, and what stands beside it. */
export const fieldsIn = (route: Route, body: Json | undefined): JsonObject => {
  const root = bodyOf(route)?.root
  const outer = isJsonObject(body) ? body : {}
  const inner = typeof root === 'string' ? outer[root] : undefined
  return { ...outer, ...(isJsonObject(inner) && inner) }
}

const same = (one: Json | undefined, other: Json | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns whether a value that is sent changes nothing: the record has it already, or begins with it. */
const changesNothing = (field: Field, value: Json, before: Json | undefined, isNew: boolean): boolean =>
  isNew ? same(value, initialOf(field)) : before !== undefined && same(value, before)

/** Returns what the fields do that are sent, each once. A value that cannot be read counts as one that does something. */
const consequencesOfFields = (
  fields: FieldTable,
  sent: JsonObject,
  {
    document,
    isNew,
    ids,
  }: { readonly document: Document | undefined; readonly isNew: boolean; readonly ids: PublicIds },
): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const { consequence } = field
    if (!consequence || sent[name] === undefined) return []
    const parsed = field.parse(sent[name], { ids })
    if ('problem' in parsed) return [consequence.says]
    const { value } = parsed
    if (consequence.unless?.some((one) => same(one, value))) return []
    return changesNothing(field, value, document?.[name] as Json | undefined, isNew) ? [] : [consequence.says]
  })

/** What is known of a call beside its operation. */
export interface CallOf extends Wanted {
  /** The body as it is sent. */
  readonly body: Json | undefined
}

/**
 * Returns what a call does that should not be done without a yes; `undefined` for one that may be. It goes by the declaration of the operation and of the
 * fields that are sent, whatever the method and the path (see domain/resources/consequence.ts).
 */
export const consequenceOf = async (
  route: Route,
  call: CallOf,
  read: Parameters<IsUnseen>[1],
  ids: PublicIds,
): Promise<string | undefined> => {
  const { operation, level } = route
  if (level === 'read') return undefined
  const own = ownConsequence(route)
  const isHeld = own !== null && operation.isUnseen !== undefined && (await operation.isUnseen(call, read))
  const body = bodyOf(route)
  const query = operation.kind === 'write' ? operation.query : undefined
  const of = { document: call.document, isNew: body?.mode === 'create' && call.document === undefined, ids }
  const said = [
    ...(own !== null && !isHeld ? [own] : []),
    ...consequencesOfFields({ ...query, ...body?.fields }, call.sent, of),
  ]
  return said.length > 0 ? [...new Set(said)].join(', and ') : undefined
}

/** Returns in words when an operation asks first; `undefined`: never. */
export const whenItAsks = (route: Route): string | undefined => {
  if (route.level === 'read') return undefined
  const own = ownConsequence(route)
  const fields = Object.entries(bodyOf(route)?.fields ?? {}).flatMap(([name, { consequence }]) =>
    consequence ? `${name} ${consequence.says}` : [],
  )
  const said = [
    ...(own === null ? [] : [`It ${own}${route.operation.isUnseen ? ', unless nobody sees it yet' : ''}.`]),
    ...(fields.length > 0 ? [`A new value of ${fields.join('; of ')}.`] : []),
  ]
  return said.length > 0 ? said.join(' ') : undefined
}
