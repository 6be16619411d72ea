import type { Reader } from '../../kernel/decide/rules.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { NamedRecord } from '../../resources/attributes/named-record.ts'

/** A record that a client names in a field. */
export interface Named extends NamedRecord {
  readonly field: string
  readonly kind: string
}

/** Records of the workspace that were named, by kind and id. */
export type FoundRecords = ReadonlyMap<string, Document>

const keyOf = (kind: string, id: number): string => `${kind} ${id}`

const namedIn = (value: Json | undefined): readonly NamedRecord[] => {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((one) =>
    isJsonObject(one) && typeof one.id === 'number' ? { id: one.id, sent: String(one.sent) } : [],
  )
}

/** Returns the records that fields of a request name. @param kinds kind of record by field */
const namesIn = (sent: JsonObject, kinds: Readonly<Record<string, string>>): readonly Named[] =>
  Object.entries(kinds).flatMap(([field, kind]) => namedIn(sent[field]).map((one) => ({ ...one, field, kind })))

/** Returns the records that stored settings name by their ids. */
export const idsIn = (settings: JsonObject, kinds: Readonly<Record<string, string>>): readonly Named[] =>
  Object.entries(kinds).flatMap(([field, kind]) => {
    const value = settings[field]
    const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')
    return ids.map((id) => ({ id, sent: String(id), field, kind }))
  })

/** Returns the fields of a request with the ids of the records that they name. */
const withIds = (sent: JsonObject, kinds: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(sent).map(([field, value]) => {
      if (kinds[field] === undefined) return [field, value]
      const ids = namedIn(value).map(({ id }) => id)
      return [field, Array.isArray(value) ? [...new Set(ids)] : (ids[0] ?? null)]
    }),
  )

/** Loads records that belong to a workspace, or to its team. */
export const findNamed = async (
  named: readonly Named[],
  workspaceId: number,
  { documents }: Reader,
): Promise<FoundRecords> => {
  const found = new Map<string, Document>()
  for (const kind of new Set(named.map((one) => one.kind))) {
    const ids = [...new Set(named.filter((one) => one.kind === kind).map(({ id }) => id))]
    if (kind === 'user') {
      const team_id = (await documents.get('workspace', workspaceId))?.team_id
      const members = await documents.find('membership', { where: { team_id: team_id ?? 0, user_id: { $in: ids } } })
      for (const member of members) found.set(keyOf(kind, Number(member.user_id)), member)
      continue
    }
    for (const one of await documents.getMany(kind, ids)) if (one) found.set(keyOf(kind, Number(one.id)), one)
  }
  return found
}

/** Returns a record that was found, by its kind and id. */
export const foundIn = (found: FoundRecords, kind: string, id: Json | undefined): Document | undefined =>
  typeof id === 'number' ? found.get(keyOf(kind, id)) : undefined

/** Refuses a request that names a record which the workspace does not have. @param at path of the fields in the body */
const refuseMissing = (named: readonly Named[], found: FoundRecords, at = ''): Refusal | undefined => {
  const missing = named.find(({ kind, id }) => !found.has(keyOf(kind, id)))
  return (
    missing &&
    refuse.invalid(
      `\`${missing.field}\` '${missing.sent}' was not found in this workspace.`,
      `${at}${missing.field}`,
      'not_found',
    )
  )
}

/** References by fields in which clients name records. */
export interface NamedReferences {
  /** Reads the records that are named by what was sent, and by what is stored. */
  find(sent: JsonObject, stored: JsonObject, workspaceId: number, read: Reader): Promise<FoundRecords>
  /** Returns what was sent with the ids of the records, or the refusal of one that the workspace does not have. */
  settled(sent: JsonObject, found: FoundRecords): JsonObject | Refusal
}

/** Makes the check of references from the kinds of their fields. @param at path of the fields in the body */
export const namedReferences = (kinds: Readonly<Record<string, string>>, at = ''): NamedReferences => ({
  find: (sent, stored, workspaceId, read) =>
    findNamed([...namesIn(sent, kinds), ...idsIn(stored, kinds)], workspaceId, read),
  settled: (sent, found) => refuseMissing(namesIn(sent, kinds), found, at) ?? withIds(sent, kinds),
})
