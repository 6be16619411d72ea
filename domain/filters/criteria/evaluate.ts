import { contact, LOOKUPS, sharedBeginning } from '../../contacts/contact/model.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Condition, Document } from '../../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import type { Selection } from '../../resources/operation.ts'
import type { Criterion, CriterionValue, FilterState, RelativeDate } from './criterion.ts'
import { type Attribute, attributeOf } from './vocabulary.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** What a filter is evaluated with. */
export interface Evaluation {
  /** ISO 8601: relative dates count from here. */
  readonly at: string
  /** The keyed digest of a personal value. */
  token(purpose: string, value: string): string
}

const isList = (value: CriterionValue | undefined): value is readonly string[] => Array.isArray(value)

/** The options or days of a value, if it has any. */
const textsOf = (value: CriterionValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : isList(value) ? value : []

const folded = (text: string): string => text.trim().toLowerCase()

const textTest = (clause: string, wanted: string) => {
  const value = folded(wanted)
  const tests: Readonly<Record<string, (held: string) => boolean>> = {
    eq: (held) => held === value,
    dne: (held) => held !== value,
    sw: (held) => held.startsWith(value),
    ew: (held) => held.endsWith(value),
    cont: (held) => held.includes(value),
    dcont: (held) => !held.includes(value),
  }
  return tests[clause] ?? (() => false)
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** `lt` 30 days ago: since then; `gt`: longer ago than that; `exct`: on that day. Ahead likewise. */
const relativeTest = (clause: string, { days, modifier }: RelativeDate, at: string) => {
  const now = Date.parse(at)
  const point = now + (modifier === 'ago' ? -1 : 1) * Number(days) * DAY_MS
  return (held: string): boolean => {
    const moment = Date.parse(held)
    if (clause === 'exct') return dayOf(moment) === dayOf(point)
    if (modifier === 'ago') return clause === 'lt' ? moment > point && moment <= now : moment < point
    return clause === 'lt' ? moment < point && moment >= now : moment > point
  }
}

const dateTest = ({ clause, value }: Criterion, at: string): ((held: string) => boolean) => {
  if (typeof value === 'object' && !isList(value)) return relativeTest(clause, value, at)
  const [from = '', to = from] = textsOf(value)
  const day = (held: string): string => held.slice(0, 10)
  const tests: Readonly<Record<string, (held: string) => boolean>> = {
    eq: (held) => day(held) === from,
    gte: (held) => day(held) >= from,
    lte: (held) => day(held) <= from,
    btwn: (held) => day(held) >= from && day(held) <= to,
    nbtwn: (held) => day(held) < from || day(held) > to,
  }
  return tests[clause] ?? (() => false)
}

const CUSTOM = 'custom_attributes.'

const openedContact: (document: Document) => JsonObject = recordOf(contact)

/** The value of an attribute in an opened document. */
const heldIn = (document: Document, { field, personal }: Attribute): Json | undefined => {
  if (personal) return openedContact(document)[field]
  if (field === 'anonymous') return document.identified !== true
  if (field.startsWith(CUSTOM)) {
    const key = field.slice(CUSTOM.length)
    const attributes = objectOf(document.custom_attributes)
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined
    return typeof value === 'string' ? value : undefined
  }
  return document[field]
}

const isSet = (held: Json | undefined): boolean =>
  held !== undefined && held !== null && held !== '' && !(Array.isArray(held) && held.length === 0)

const testOf = (criterion: Criterion, at: string): ((document: Document) => boolean) => {
  const attribute = attributeOf(criterion.attribute)
  if (!attribute) return () => false
  const { clause, value, ids } = criterion
  const held = (document: Document) => heldIn(document, attribute)
  if (clause === 'st' || clause === 'nst') return (document) => isSet(held(document)) === (clause === 'st')
  const negated = clause === 'dne' || clause === 'nin'
  if (attribute.kind === 'flag') {
    const wanted = textsOf(value)[0] === 'true'
    return (document) => ((held(document) ?? false) === wanted) !== negated
  }
  if (attribute.kind === 'option') {
    const wanted = new Set<Json>(ids ?? textsOf(value))
    return (document) => {
      const values = held(document) ?? []
      return (Array.isArray(values) ? values : [values]).some((one) => wanted.has(one)) !== negated
    }
  }
  if (attribute.kind === 'date') {
    const test = dateTest(criterion, at)
    return (document) => isSet(held(document)) && test(String(held(document)))
  }
  // Nobody has what has been erased.
  if (value === '') return () => clause === 'dne' || clause === 'dcont'
  const test = textTest(clause, String(value))
  return (document) =>
    isSet(held(document)) ? test(folded(String(held(document)))) : clause === 'dne' || clause === 'dcont'
}

/** A condition that an index serves and that whoever meets the criterion meets as well. */
const indexed = (
  { attribute, clause, value, ids }: Criterion,
  { token }: Evaluation,
): readonly [string, Condition] | undefined => {
  if (attribute === 'tags.id' && ids && (clause === 'eq' || clause === 'in'))
    return ['tag_ids', ids.length === 1 ? ids[0]! : { $in: ids }]
  const found = Object.entries(LOOKUPS).find(([, lookup]) => lookup.attribute === attribute)
  if (!found) return undefined
  const [name, { purpose }] = found
  if (value === '') return undefined
  if (clause === 'eq') return [`${name}_digest`, token(purpose, String(value))]
  const beginning = clause === 'sw' ? sharedBeginning(String(value)) : undefined
  return beginning === undefined ? undefined : [`${name}_beginning`, token(`${purpose}.beginning`, beginning)]
}

/**
 * What an opened filter asks of the read models: conditions that let an index serve, and the whole test on the opened document.
 * A filter that speaks of anonymous contacts reaches them, which lists otherwise leave out.
 */
export const selectionFor = ({ conjunction, criteria }: FilterState, evaluation: Evaluation): Selection => {
  const tests = criteria.map((criterion) => testOf(criterion, evaluation.at))
  const matches = (document: Document): boolean =>
    conjunction === 'and' ? tests.every((test) => test(document)) : tests.some((test) => test(document))
  const served = conjunction === 'and' ? criteria.flatMap((criterion) => [indexed(criterion, evaluation)]) : []
  const [first] = served.filter((condition) => condition !== undefined)
  const beyond = criteria.some(({ attribute }) => attribute === 'anonymous')
  return {
    where: { ...(first && { [first[0]]: first[1] }), ...(beyond && { listed: { $in: [true, false] } }) },
    test: (document) => document.deleted_at === null && document.redacted_email === null && matches(document),
    ...(beyond && { beyond }),
  }
}
