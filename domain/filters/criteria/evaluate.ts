import { contact, LOOKUPS, sharedBeginning } from '../../contacts/contact/model.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Condition, Document } from '../../kernel/ports/read-models.ts'
import { comparable } from '../../kernel/values/comparable.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { mailboxOf, mailboxPart } from '../../kernel/values/mailbox.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import type { Selection } from '../../resources/operation.ts'
import type { Criterion, CriterionValue, FilterState, RelativeDate } from './criterion.ts'
import { lookUpFor, throughFor } from './related.ts'
import { type Attribute, attributeOf } from './vocabulary.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Context in which a filter is evaluated. */
export interface Evaluation {
  /** Time from which relative dates count; ISO 8601. */
  readonly at: string
  /** Returns the keyed digest of a personal value. */
  token(purpose: string, value: string): string
}

const isList = (value: CriterionValue | undefined): value is readonly string[] => Array.isArray(value)

/** Returns the options or days of a value; none for a relative date. */
const textsOf = (value: CriterionValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : isList(value) ? value : []

/** Returns the functions that give a value of a contact, and the text of a condition, the form in which both are compared. */
const formsFor = (attribute: string, clause: string) => {
  if (attribute !== LOOKUPS.email.attribute) return { ofContact: comparable, ofCondition: comparable }
  const isWhole = clause === 'eq' || clause === 'dne'
  return { ofContact: mailboxOf, ofCondition: isWhole ? mailboxOf : mailboxPart }
}

const textTest = (clause: string, value: string) => {
  const tests: Readonly<Record<string, (actual: string) => boolean>> = {
    eq: (actual) => actual === value,
    dne: (actual) => actual !== value,
    sw: (actual) => actual.startsWith(value),
    ew: (actual) => actual.endsWith(value),
    cont: (actual) => actual.includes(value),
    dcont: (actual) => !actual.includes(value),
  }
  return tests[clause] ?? (() => false)
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** Relative to 30 days ago, `lt` means since then, `gt` longer ago, and `exct` on that day. Days ahead work likewise. */
const relativeTest = (clause: string, { days, modifier }: RelativeDate, at: string) => {
  const now = Date.parse(at)
  const point = now + (modifier === 'ago' ? -1 : 1) * Number(days) * DAY_MS
  return (actual: string): boolean => {
    const moment = Date.parse(actual)
    if (clause === 'exct') return dayOf(moment) === dayOf(point)
    if (modifier === 'ago') return clause === 'lt' ? moment > point && moment <= now : moment < point
    return clause === 'lt' ? moment < point && moment >= now : moment > point
  }
}

const dateTest = ({ clause, value }: Criterion, at: string): ((actual: string) => boolean) => {
  if (typeof value === 'object' && !isList(value)) return relativeTest(clause, value, at)
  const [from = '', to = from] = textsOf(value)
  const day = (actual: string): string => actual.slice(0, 10)
  const tests: Readonly<Record<string, (actual: string) => boolean>> = {
    eq: (actual) => day(actual) === from,
    gte: (actual) => day(actual) >= from,
    lte: (actual) => day(actual) <= from,
    btwn: (actual) => day(actual) >= from && day(actual) <= to,
    nbtwn: (actual) => day(actual) < from || day(actual) > to,
  }
  return tests[clause] ?? (() => false)
}

const CUSTOM = 'custom_attributes.'

const openedContact: (document: Document) => JsonObject = recordOf(contact)

/** Returns the value of an attribute in an opened document. */
const valueIn = (document: Document, { field, personal }: Attribute): Json | undefined => {
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

const isSet = (actual: Json | undefined): boolean =>
  actual !== undefined && actual !== null && actual !== '' && !(Array.isArray(actual) && actual.length === 0)

const testOf = (criterion: Criterion, at: string): ((document: Document) => boolean) => {
  const attribute = attributeOf(criterion.attribute)
  if (!attribute) return () => false
  const { clause, value, ids } = criterion
  const actual = (document: Document) => valueIn(document, attribute)
  if (clause === 'st' || clause === 'nst') return (document) => isSet(actual(document)) === (clause === 'st')
  const negated = clause === 'dne' || clause === 'nin'
  if (attribute.kind === 'flag') {
    const expected = textsOf(value)[0] === 'true'
    return (document) => ((actual(document) ?? false) === expected) !== negated
  }
  if (attribute.kind === 'option') {
    const expected = new Set<Json>(ids ?? textsOf(value))
    return (document) => {
      const values = actual(document) ?? []
      return (Array.isArray(values) ? values : [values]).some((one) => expected.has(one)) !== negated
    }
  }
  if (attribute.kind === 'date') {
    const test = dateTest(criterion, at)
    return (document) => isSet(actual(document)) && test(String(actual(document)))
  }
  // The value of an erased person matches nobody.
  if (value === '') return () => clause === 'dne' || clause === 'dcont'
  const { ofContact, ofCondition } = formsFor(criterion.attribute, clause)
  const test = textTest(clause, ofCondition(String(value)))
  return (document) =>
    isSet(actual(document)) ? test(ofContact(String(actual(document)))) : clause === 'dne' || clause === 'dcont'
}

/** Returns a condition that an index serves and that every contact matching the criterion also meets, if there is one. */
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
  const text = formsFor(attribute, clause).ofCondition(String(value))
  if (clause === 'eq') return [`${name}_digest`, token(purpose, text)]
  const beginning = clause === 'sw' ? sharedBeginning(text) : undefined
  return beginning === undefined ? undefined : [`${name}_beginning`, token(`${purpose}.beginning`, beginning)]
}

/**
 * Returns the query of an opened filter: a condition that an index can serve, or records that lead to all matches, and the full test on the opened document.
 * A filter with a condition on `anonymous` also reaches anonymous contacts, which lists otherwise leave out.
 */
export const selectionFor = ({ conjunction, criteria }: FilterState, evaluation: Evaluation): Selection => {
  const tests = criteria.map((criterion) => testOf(criterion, evaluation.at))
  const matches = (document: Document): boolean =>
    conjunction === 'and' ? tests.every((test) => test(document)) : tests.some((test) => test(document))
  const indexConditions = conjunction === 'and' ? criteria.flatMap((criterion) => [indexed(criterion, evaluation)]) : []
  const [first] = indexConditions.filter((condition) => condition !== undefined)
  const [through] = conjunction === 'and' && !first ? criteria.flatMap((one) => throughFor(one) ?? []) : []
  const lookUp = lookUpFor(criteria)
  const beyond = criteria.some(({ attribute }) => attribute === 'anonymous')
  return {
    where: { ...(first && { [first[0]]: first[1] }), ...(beyond && { listed: { $in: [true, false] } }) },
    ...(through && { through }),
    ...(lookUp && { lookUp }),
    test: (document) => document.deleted_at === null && document.redacted_email === null && matches(document),
    ...(beyond && { beyond }),
  }
}
