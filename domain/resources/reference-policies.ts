import type { Ask } from '../kernel/decide/ask.ts'
import type { FactReader } from '../kernel/decide/command.ts'
import { dropReference } from '../kernel/decide/drop-reference.ts'
import { endedBy, endingEvents, type Reference, referencesOf } from '../kernel/model/references.ts'
import type { Index, Where } from '../kernel/ports/read-models.ts'
import type { Batch, Policy } from '../kernel/react/policy.ts'
import type { Json, JsonObject, RecordedEvent } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { aggregatesOf, type Resource } from './resource.ts'

/** Input of the acts that give up references. */
export type EndedReferences = { readonly ended_ids: readonly number[] }

const nameOf = ({ model, field }: Reference): string => `${model.name}.${field}`

/** Returns the references among these resources to records that can end. @throws {Error} for one that says not what becomes of it then */
export const referencesAmong = (resources: readonly Resource[]): readonly Reference[] =>
  referencesOf(aggregatesOf(resources).map(({ model }) => model))

/** Returns the collection in which the holders of a reference are looked up, and the field that finds them. */
const lookupOf = ({ model, root, field, heldIn }: Reference) =>
  heldIn === undefined ? { collection: model.name, field } : { collection: root.name, field: heldIn }

/** Tells whether there is an index of a field alone: for look-ups, or for the list of all records of an owner. */
const isFoundAlone = ({ documents: { indexes = [] }, operations, under }: Resource, field: string): boolean =>
  indexes.some(({ fields, sort }) => sort === undefined && fields.length === 1 && fields[0] === field) ||
  (under.field === field && Object.values(operations).some((one) => one.kind === 'list' && !one.where && !one.under))

/** Adds the indexes by which the holders of references are found, where resources have none of their own. */
export const withReferenceIndexes = (resources: readonly Resource[]): readonly Resource[] => {
  const lookups = referencesAmong(resources).map(lookupOf)
  return resources.map((resource) => {
    const fields = lookups.flatMap(({ collection, field }) =>
      collection === resource.name && !isFoundAlone(resource, field) ? field : [],
    )
    if (fields.length === 0) return resource
    // Not by the field alone, because changes of such fields are recorded for the look-ups of the past.
    const missing = fields.map((field): Index => ({ fields: ['workspace_id', field] }))
    const { documents } = resource
    return { ...resource, documents: { ...documents, indexes: [...(documents.indexes ?? []), ...missing] } }
  })
}

const idsIn = (value: Json | undefined): readonly number[] =>
  (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')

/** Policy of one reference. */
const policyOf = (reference: Reference, name: string, { aggregate, documents }: Resource, where: WhereOf): Policy => {
  const { model, role, child, field, target, setBy, inData, onTargetEnd } = reference
  const endings = new Set(endingEvents(target))
  const lookup = lookupOf(reference)

  const giveUp = (stream: number, id: number, ended: readonly number[]): Ask => {
    if (typeof onTargetEnd === 'string') return dropReference(aggregate, stream, { role, field }, ended)
    const wanted = onTargetEnd.act === 'remove' ? {} : { ended_ids: ended }
    const command = { type: onTargetEnd.act, ...(role !== undefined && { child: role }), id, wanted }
    return { aggregate, id: stream, command }
  }

  /** Asks all holders of references to records that an event ends. */
  const whenEnded = (event: RecordedEvent): readonly Batch[] => {
    const ended = endedBy(target, event, parseStream(event.stream).id)
    return ended.map((id) => ({
      each: lookup.collection,
      where: where(lookup.field, id, event),
      one: (holder, document) =>
        giveUp(reference.heldIn === undefined && child ? Number(document[model.owner ?? '']) : holder, holder, ended),
    }))
  }

  /** Asks the records of an event that sets references to records which have ended before. One of another team has not ended. */
  const whenSet = async (event: RecordedEvent, { everywhere: read }: FactReader): Promise<readonly Ask[]> => {
    const { id: stream } = parseStream(event.stream)
    const holders = documents.fold.touched(event, stream)
    const records: readonly (JsonObject | undefined)[] = inData.has(event.type)
      ? holders.map(() => event.data)
      : await read.getMany(model.name, holders)
    const asks = await Promise.all(
      holders.map(async (holder, index): Promise<readonly Ask[]> => {
        const ids = idsIn(records[index]?.[field])
        const found = ids.length === 0 ? [] : await read.getMany(target.model.name, ids)
        const ended = ids.filter((_, n) => found[n] === undefined)
        return ended.length === 0 ? [] : [giveUp(stream, holder, ended)]
      }),
    )
    return asks.flat()
  }

  const isOf = (root: Reference['root'], { stream }: RecordedEvent) => parseStream(stream).name === root.name
  return {
    name,
    on: [...new Set([...endings, ...setBy])].map((type) => ({ type })),
    when: (event) =>
      (isOf(target.root, event) && endings.has(event.type)) ||
      (isOf(reference.root, event) && (!inData.has(event.type) || idsIn(event.data[field]).length > 0)),
    react: (event, read) => (isOf(target.root, event) ? whenEnded(event) : whenSet(event, read)),
  }
}

type WhereOf = (field: string, id: number, event: RecordedEvent) => Where

/**
 * Returns the policies that take references back, one for each. A check cannot prevent that a record ends while another begins to refer to it,
 * because references are decided by documents that lag behind the log. But one of the two events comes later in the log, and its policy reads documents
 * that have the other: the end finds all who refer to the record, or the reference finds that its record has ended.
 *
 * @param stored names of policies from before, by reference; the others are named after their reference
 */
export const referencePolicies = (
  resources: readonly Resource[],
  stored: Readonly<Record<string, string>>,
): readonly Policy[] => {
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  return referencesAmong(resources).map((reference) => {
    const holder = byName.get(reference.model.name)
    const { collection, field: by } = lookupOf(reference)
    const found = byName.get(collection)
    if (!holder || !found) throw new Error(`no resource has the documents of ${reference.model.name}`)
    const isAlone = isFoundAlone(found, by)
    const where: WhereOf = (field, id, { metadata: { workspace_id = 0 } }) =>
      isAlone ? { [field]: id } : { workspace_id, [field]: id }
    return policyOf(reference, stored[nameOf(reference)] ?? `references:${nameOf(reference)}`, holder, where)
  })
}
