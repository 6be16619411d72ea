import { Type } from 'typebox'
import type { Condition, Document, Where } from '../../kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { nextTurn } from '../../kernel/values/turns.ts'
import type { Selection } from '../operation.ts'
import { read } from '../operations.ts'
import type { ReadInput, ReadOperation } from '../read-operation.ts'
import { dateTime, nullable, nullableString } from '../schemas.ts'
import { completed, findSelected } from '../selected.ts'
import { conditionsIn, wantedIn } from './asked.ts'
import type { Counted, Wanted } from './counted.ts'
import { Tallied } from './tallied.ts'

export type { Counted } from './counted.ts'

const AT_ONCE = 500
const FILTER_MS = 10_000
const REQUEST_MS = 20_000
/** Requests of one token for one workspace that may be under way at once. */
const IN_FLIGHT = 2

const schema = Type.Object({
  resource: Type.String(),
  workspace_id: Type.Integer(),
  stats: Type.Object({
    count: Type.Optional(Type.Integer()),
    count_capped_at: Type.Optional(Type.Integer()),
    count_by: Type.Optional(
      Type.Object({
        property: Type.String(),
        values: Type.Record(Type.String(), Type.Integer()),
        capped: Type.Boolean(),
      }),
    ),
    created_at_range: Type.Optional(Type.Object({ min: nullable(dateTime), max: nullable(dateTime) })),
    sum: Type.Optional(
      Type.Object({
        property: Type.String(),
        value: nullableString,
        left_out_in_other_currencies: Type.Integer({
          description: 'Records in another currency than that of the workspace, which are not in the sum',
        }),
      }),
    ),
  }),
  unavailable: Type.Optional(Type.Array(Type.String())),
  unavailable_reason: Type.Optional(Type.String()),
})

const parameters = (resources: Readonly<Record<string, Counted>>) => {
  const flag = (description: string) => Type.Boolean({ description })
  const property = (description: string) => Type.Object({ property: Type.Optional(Type.String()) }, { description })
  const names = new Set(Object.values(resources).flatMap((counted) => Object.keys(counted.filters)))
  const filters = Object.fromEntries([...names].map((name) => [name, Type.Optional(Type.String())]))
  return {
    resource: Type.String({ enum: Object.keys(resources), description: 'Which records are counted; required' }),
    count: flag('How many there are'),
    count_by: property('How many there are with each value of a property'),
    created_at_range: flag('When the first and the last of them was made'),
    sum: property('Sum of an amount'),
    filter: Type.Object(filters, { description: 'As in the list of the resource; several values are alternatives' }),
    stored_filter_id: Type.String({ description: 'A saved filter' }),
    stable_id: Type.String({ description: 'A filter as a token; wins over stored_filter_id' }),
  }
}

const selectionOf = async (
  { select }: Counted,
  input: ReadInput,
  at: string,
): Promise<Selection | undefined | Refusal> => {
  const given = Object.fromEntries(
    Object.keys(select.parameters).flatMap((name) => {
      const sent = input.query.get(name)
      return sent === null || sent === '' ? [] : [[name, sent]]
    }),
  )
  if (Object.keys(given).length === 0) return undefined
  if (input.asOf !== undefined)
    return refuse.invalid('A stored filter cannot be combined with as_of', 'as_of', 'unpermitted')
  const { read: reader, token, open, parseId, unpack } = input
  return select.select(given, { workspaceId: Number(input.owner?.id), at, read: reader, token, open, parseId, unpack })
}

const valuesIn = (condition: Condition): readonly Json[] =>
  isJsonObject(condition as Json) ? ((condition as { readonly $in?: readonly Json[] }).$in ?? []) : [condition as Json]

/** Whether a document has, in each field, one of the values. Of a list, one is enough. */
const isAmong = (document: Document, where: Where): boolean =>
  Object.entries(where).every(([field, condition]) => {
    const value = document[field] ?? null
    const held = Array.isArray(value) ? value : [value]
    return valuesIn(condition).some((one) => held.includes(one))
  })

/** Question about the records of a workspace. */
interface Question {
  readonly counted: Counted
  readonly wanted: Wanted
  readonly conditions: Where
  readonly selection: Selection | undefined
}

/** Returns the documents as they were at the moment that was asked for. Those that have not changed since are the present ones. */
const asOf = async (documents: readonly Document[], { collection }: Counted, { asOf: at, load }: ReadInput) => {
  if (at === undefined) return documents
  const known = documents.filter(({ created_at }) => String(created_at) <= at)
  const found: Document[] = []
  for (const document of known) {
    if (String(document.updated_at) <= at) found.push(document)
    else found.push(...(await load.many(collection, [Number(document.id)])))
  }
  return found
}

/** Adds up all records, some at once. @returns a refusal when that takes too long */
const addUp = async (question: Question, tallied: Tallied, input: ReadInput): Promise<Refusal | undefined> => {
  const { counted, conditions, selection } = question
  const begun = performance.now()
  const isPast = input.asOf !== undefined
  const where: Where = {
    ...counted.where,
    workspace_id: Number(input.owner?.id),
    ...selection?.where,
    ...(isPast ? {} : conditions),
  }
  for (let after = 0; !tallied.isTooMany; ) {
    const query = { where, after, limit: AT_ONCE }
    const found = await findSelected(input.read, counted.collection, query, selection ?? {})
    const then = await asOf(found, counted, input)
    const opened = selection?.test
      ? await completed(await Promise.all(then.map(input.openDocument)), selection, input.read)
      : then
    const matching = then.filter(
      (document, index) =>
        (counted.isRecord?.(document) ?? true) &&
        (!isPast || isAmong(document, conditions)) &&
        (selection?.test?.(opened[index] ?? document) ?? true),
    )
    await tallied.add(matching, input.read)
    if (found.length < AT_ONCE) return undefined
    after = Number(found.at(-1)?.id)
    const elapsed = performance.now() - begun
    if (selection?.test && elapsed > FILTER_MS)
      return refuse.invalid(`This filter took longer than ${FILTER_MS / 1000}s to evaluate and was stopped`)
    if (elapsed > REQUEST_MS)
      return refuse.unavailable(
        `This request ran out of its ${REQUEST_MS / 1000}s budget before the filter could be evaluated`,
      )
    await nextTurn()
  }
  return undefined
}

const answer = async (
  resources: Readonly<Record<string, Counted>>,
  input: ReadInput,
): Promise<JsonObject | Refusal> => {
  const { query, owner, at } = input
  const name = query.get('resource') ?? ''
  const counted = Object.hasOwn(resources, name) ? resources[name] : undefined
  if (!counted)
    return refuse.invalid(`resource must be one of: ${Object.keys(resources).join(', ')}`, 'resource', 'inclusion')
  const wanted = wantedIn(query, name, counted)
  if (wanted instanceof Refusal) return wanted
  const conditions = conditionsIn(query, counted, input, input.asOf !== undefined)
  if (conditions instanceof Refusal) return conditions
  const selection = await selectionOf(counted, input, at)
  if (selection instanceof Refusal) return selection
  const tallied = new Tallied(counted, wanted, String(owner?.currency ?? 'USD'))
  const refusal = await addUp({ counted, wanted, conditions, selection }, tallied, input)
  return refusal ?? { resource: name, workspace_id: Number(owner?.id), ...tallied.shown() }
}

/** Declares statistics over the records of some resources of a workspace, which the parameter `resource` names. The first is the usual one. */
export const recordStatistics = (path: string, resources: Readonly<Record<string, Counted>>): ReadOperation =>
  read(path, {
    beyondContract: true,
    summary: 'Counts and sums of the records of a workspace',
    category: Object.values(resources)[0]?.category ?? 'account',
    categoryBy: {
      parameter: 'resource',
      categories: Object.fromEntries(Object.entries(resources).map(([name, { category }]) => [name, category])),
    },
    inFlight: IN_FLIGHT,
    schema,
    query: parameters(resources),
    past: true,
    read: (input) => answer(resources, input),
  })
