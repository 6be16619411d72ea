import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import type { FactReader } from '../../domain/kernel/decide/command.ts'
import type { FieldTable } from '../../domain/kernel/model/field.ts'
import { humanize, isObject } from '../../domain/kernel/model/parse.ts'
import { getInTurns } from '../../domain/kernel/ports/get-in-turns.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { type Detail, refuse } from '../../domain/kernel/values/refusal.ts'
import type { WithBody } from '../../domain/resources/body.ts'
import { retryAfterCatchUp } from '../read-your-writes.ts'
import type { Service } from '../service.ts'
import { placeFor } from '../tenancy.ts'
import { type Sent as Fields, fieldsOf } from './body.ts'
import type { ApiRequest } from './request.ts'

/** A reference in a body, wherever it is: what it names, and the field that a refusal names. */
interface Sent {
  readonly path: string
  readonly field: string
  readonly label: () => string
  readonly refersTo: string
  readonly ids: readonly number[]
  readonly isList: boolean
  readonly missing: string | undefined
}

/** Where nested fields are: path, the field of the body, and what it is called. */
type Within = Pick<Sent, 'path' | 'field' | 'label'>

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns the references in a body, those of nested fields as well. */
function* sentIn(fields: FieldTable, values: JsonObject, within?: Within): Generator<Sent> {
  for (const [name, { refersTo, inner, missing }] of Object.entries(fields)) {
    const value = values[name]
    if (value === undefined || value === null) continue
    if (refersTo === undefined && inner === undefined) continue
    const called = () => humanize(name.replace(/_attributes$/, ''))
    const path = within ? `${within.path}.${name}` : name
    const field = within?.field ?? name
    const label = within ? () => `${within.label()} ${lowered(called())}` : called
    const isList = Array.isArray(value)
    if (refersTo !== undefined) yield { path, field, label, refersTo, ids: [value].flat() as number[], isList, missing }
    for (const one of inner ? [value].flat() : []) if (isObject(one)) yield* sentIn(inner!, one, { path, field, label })
  }
}

/** Puts the references of one field in all items of a list together. */
const together = (all: Iterable<Sent>): readonly Sent[] => {
  const byPath = new Map<string, Sent>()
  for (const one of all) {
    const known = byPath.get(one.path)
    byPath.set(one.path, known ? { ...known, ids: [...known.ids, ...one.ids] } : one)
  }
  return [...byPath.values()]
}

/** Returns what the refusal of a reference says. @param ids those that name no record */
const messageOf = ({ label, isList, missing }: Pick<Sent, 'label' | 'isList' | 'missing'>, ids: readonly number[]) =>
  missing?.replace('{ids}', ids.join(', ')) ??
  (isList ? `${label()} contain ids not found in this workspace: ${ids.join(', ')}` : `${label()} must exist`)

const isThere = (document: Document | undefined): boolean =>
  document !== undefined && typeof document.deleted_at !== 'string'

/**
 * Returns the records that the references of a body name, by the paths of the fields: `line_items_attributes.variant_id`.
 *
 * @param read access to the documents of the workspace
 * @throws {Refusal} invalid, naming every field whose record is missing or not in this workspace
 */
export const referencesOf = async (
  read: FactReader,
  { body }: WithBody,
  values: JsonObject,
): Promise<Readonly<Record<string, readonly Document[]>>> => {
  const found: Record<string, readonly Document[]> = {}
  const details: Detail[] = []
  for (const { path, field, refersTo, ids, ...sent } of together(sentIn(body?.fields ?? {}, values))) {
    const documents = await getInTurns(read, refersTo, ids)
    const missing = ids.filter((_, index) => !isThere(documents[index]))
    if (missing.length === 0) {
      found[path] = documents as readonly Document[]
      continue
    }
    details.push({
      field: body?.root == null ? field : `${body.root}.${field}`,
      code: 'not_found',
      message: messageOf(sent, missing),
    })
  }
  if (details.length > 0) throw refuse.invalidFields(details)
  return found
}

/**
 * Returns the fields of the body of an operation that is no write, and read access to the place of its record.
 *
 * @throws {Refusal} as `fieldsOf` and `referencesOf` do
 */
export const checkedFieldsOf = async (
  service: Service,
  operation: WithBody,
  request: ApiRequest,
  record: Document | undefined,
): Promise<Fields & { readonly read: FactReader }> => {
  const sent = await fieldsOf(service, operation, request, record)
  const read = boundTo(service.everywhere, placeFor(request.caller, record))
  await retryAfterCatchUp(service, () => referencesOf(read, operation, sent.fields))
  return { ...sent, read }
}
