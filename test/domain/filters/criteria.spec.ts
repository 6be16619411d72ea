import { expect } from 'chai'
import { LOOKUPS } from '../../../domain/contacts/contact/lookup.ts'
import { type ConditionRules, checkCriteria, type OptionFacts } from '../../../domain/filters/criteria/check.ts'
import { type Criterion, proposedFrom } from '../../../domain/filters/criteria/criterion.ts'
import { selectionFor } from '../../../domain/filters/criteria/evaluate.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'

const facts: OptionFacts = new Map([
  ['contacts/tag', new Set([1, 2])],
  ['emails/broadcast', new Set([5])],
])
const parseId = (value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : undefined)
const check = (entries: unknown, rules: ConditionRules = 'open') =>
  checkCriteria(proposedFrom(entries, parseId)!, rules, facts)
const one = (attribute: string, clause: string, value?: unknown, rules: ConditionRules = 'open') =>
  check([{ attribute, clause, value }], rules)

describe('filter conditions', () => {
  it('are stored in one form: options as texts, dates as days, relative dates as objects', () => {
    const { criteria, details } = check([
      { attribute: 'tags.id', clause: 'eq', value: 1 },
      { attribute: 'created_at', clause: 'gte', value: '2026-01-31T23:30:00-02:00' },
      { attribute: 'last_activity', clause: 'lt', value: { days: 30, modifier: 'ago' } },
      { attribute: 'anonymous', clause: 'eq', value: true },
      { attribute: 'unsubscribed_at', clause: 'nst', value: 'ignored' },
      { attribute: 'created_at', clause: 'btwn', value: ['2026-01-01', '2026-02-01T10:00:00Z'] },
    ])
    expect(details).to.deep.equal([])
    expect(criteria).to.deep.equal([
      { attribute: 'tags.id', clause: 'eq', value: ['1'], ids: [1] },
      { attribute: 'created_at', clause: 'gte', value: '2026-02-01' },
      { attribute: 'last_activity', clause: 'lt', value: { days: '30', modifier: 'ago' } },
      { attribute: 'anonymous', clause: 'eq', value: ['true'] },
      { attribute: 'unsubscribed_at', clause: 'nst' },
      { attribute: 'created_at', clause: 'btwn', value: ['2026-01-01', '2026-02-01'] },
    ])
  })

  const refused: readonly (readonly [text: string, attribute: string, clause: string, value?: unknown])[] = [
    ["criteria[0].attribute 'shoe_size' is not a known attribute", 'shoe_size', 'eq', '44'],
    ["criteria[0].attribute 'segments.id' is not supported by the public API", 'segments.id', 'eq', '1'],
    [
      "criteria[0].attribute 'custom_attributes.colour' is not supported by the public API",
      'custom_attributes.colour',
      'eq',
      'red',
    ],
    ["criteria[0].attribute 'phone_number' is not supported by the public API", 'phone_number', 'eq', '1'],
    ["criteria[0].clause 'cont' is not allowed for attribute 'email_address'", 'email_address', 'cont', 'x'],
    ["criteria[0].clause 'st' is not allowed for attribute 'tags.id'", 'tags.id', 'st'],
    ["criteria[0].value must include a specific id for attribute 'opened_broadcast'", 'opened_broadcast', 'eq'],
    ["criteria[0].value must include a specific id for attribute 'opted_in_funnel_at'", 'opted_in_funnel_at', 'in', []],
    ['criteria[0].value contains ids not found in this workspace', 'tags.id', 'in', ['1', '3']],
    ['criteria[0].value contains ids not found in this workspace', 'tags.id', 'eq', 'nonsense'],
    ['criteria[0].value has more than 1000 ids', 'tags.id', 'in', Array.from({ length: 1001 }, () => 1)],
    ["criteria[0].value 'soon' must be an ISO8601 date or datetime", 'created_at', 'gte', 'soon'],
    ["criteria[0].value '2026-02-30' must be an ISO8601 date or datetime", 'created_at', 'eq', '2026-02-30'],
    ['criteria[0].value must be an array of exactly two dates', 'created_at', 'btwn', ['2026-01-01']],
    [
      "criteria[0].value must be an object with days (a whole number) and modifier ('ago' or 'from_now')",
      'created_at',
      'gt',
      { days: 'x', modifier: 'ago' },
    ],
    ['criteria[0].value must be true or false', 'anonymous', 'eq', 'maybe'],
    ['criteria[0].value must be a string', 'first_name', 'eq', { a: 1 }],
  ]
  for (const [text, attribute, clause, value] of refused) {
    it(`refuses: ${text}`, () => {
      expect(one(attribute, clause, value).details.map(({ message }) => message)).to.deep.equal([text])
    })
  }

  it('are refused all at once, each with its position', () => {
    const { details } = check([
      { attribute: 'x', clause: 'eq' },
      'nothing',
      { attribute: 'first_name', clause: 'gt', value: 'a' },
    ])
    expect(details.map(({ message }) => message)).to.deep.equal([
      "criteria[0].attribute 'x' is not a known attribute",
      'criteria[1] must be an object with attribute, clause and value',
      "criteria[2].clause 'gt' is not allowed for attribute 'first_name'",
    ])
  })

  it('may go beyond the public list where a description was translated', () => {
    expect(one('custom_attributes.colour', 'cont', 'red', 'all').details).to.deep.equal([])
    expect(one('segments.id', 'eq', '1', 'all').details).to.have.length(1)
  })
})

const AT = '2026-03-31T12:00:00.000Z'
const token = (purpose: string, value: string) => `${purpose}/${value.trim().toLowerCase()}`
const contact = (more: JsonObject = {}): Document =>
  ({
    id: 1,
    identified: true,
    deleted_at: null,
    redacted_email: null,
    personal: { email_address: 'Ada@Example.com', first_name: 'Ada', last_name: null },
    created_at: '2026-03-01T09:00:00.000Z',
    last_activity_at: '2026-03-30T00:00:00.000Z',
    unsubscribed_at: null,
    email_suppression_reason: null,
    tag_ids: [1],
    custom_attributes: { colour: 'Dark red' },
    ...more,
  }) as unknown as Document

const matches = (criterion: Criterion, document = contact()): boolean =>
  selectionFor({ conjunction: 'and', criteria: [criterion] }, { at: AT, token }).test!(document)

describe('evaluation of filters', () => {
  const cases: readonly (readonly [matches: boolean, criterion: Criterion])[] = [
    [true, { attribute: 'email_address', clause: 'eq', value: 'ADA@example.com' }],
    [true, { attribute: 'email_address', clause: 'sw', value: 'ada@' }],
    [false, { attribute: 'email_address', clause: 'sw', value: 'adam' }],
    [true, { attribute: 'email_address', clause: 'ew', value: 'example.COM' }],
    [false, { attribute: 'first_name', clause: 'dne', value: 'ada' }],
    [true, { attribute: 'last_name', clause: 'dne', value: 'lovelace' }],
    [false, { attribute: 'last_name', clause: 'eq', value: 'lovelace' }],
    [true, { attribute: 'last_name', clause: 'nst' }],
    [false, { attribute: 'anonymous', clause: 'eq', value: ['true'] }],
    [true, { attribute: 'anonymous', clause: 'dne', value: ['true'] }],
    [true, { attribute: 'tags.id', clause: 'in', value: ['1', '2'], ids: [1, 2] }],
    [false, { attribute: 'tags.id', clause: 'nin', value: ['1'], ids: [1] }],
    [true, { attribute: 'tags.id', clause: 'dne', value: ['2'], ids: [2] }],
    [true, { attribute: 'created_at', clause: 'eq', value: '2026-03-01' }],
    [true, { attribute: 'created_at', clause: 'gte', value: '2026-03-01' }],
    [true, { attribute: 'created_at', clause: 'lte', value: '2026-03-01' }],
    [false, { attribute: 'created_at', clause: 'btwn', value: ['2026-03-02', '2026-04-01'] }],
    [true, { attribute: 'created_at', clause: 'nbtwn', value: ['2026-03-02', '2026-04-01'] }],
    [true, { attribute: 'created_at', clause: 'lt', value: { days: '31', modifier: 'ago' } }],
    [false, { attribute: 'created_at', clause: 'lt', value: { days: '30', modifier: 'ago' } }],
    [true, { attribute: 'created_at', clause: 'gt', value: { days: '30', modifier: 'ago' } }],
    [true, { attribute: 'last_activity', clause: 'exct', value: { days: '1', modifier: 'ago' } }],
    [false, { attribute: 'unsubscribed_at', clause: 'nbtwn', value: ['2026-03-02', '2026-04-01'] }],
    [true, { attribute: 'unsubscribed_at', clause: 'nst' }],
    [true, { attribute: 'email_suppression', clause: 'nst' }],
    [false, { attribute: 'email_suppression', clause: 'in', value: ['bounced'] }],
    [false, { attribute: 'has_affiliate_attribution', clause: 'eq', value: ['true'] }],
    [false, { attribute: 'opened_broadcast', clause: 'eq', value: ['5'], ids: [5] }],
    [true, { attribute: 'custom_attributes.colour', clause: 'cont', value: 'RED' }],
    [true, { attribute: 'custom_attributes.size', clause: 'dcont', value: 'x' }],
    [false, { attribute: 'custom_attributes.constructor', clause: 'st' }],
  ]
  for (const [expected, criterion] of cases) {
    it(`${expected ? 'takes' : 'leaves out'} by ${JSON.stringify(criterion)}`, () => {
      expect(matches(criterion)).to.equal(expected)
    })
  }

  it('joins by and or by or, and never matches removed contacts', () => {
    const criteria: readonly Criterion[] = [
      { attribute: 'first_name', clause: 'eq', value: 'Ada' },
      { attribute: 'tags.id', clause: 'eq', value: ['2'], ids: [2] },
    ]
    const test = (conjunction: 'and' | 'or', document = contact()) =>
      selectionFor({ conjunction, criteria }, { at: AT, token }).test!(document)
    expect(test('and')).to.equal(false)
    expect(test('or')).to.equal(true)
    expect(test('or', contact({ deleted_at: AT }))).to.equal(false)
    expect(test('or', contact({ redacted_email: 'redacted@example.com' }))).to.equal(false)
  })

  it('uses an index for equality, prefixes and tags', () => {
    const where = (...criteria: readonly Criterion[]) =>
      selectionFor({ conjunction: 'and', criteria }, { at: AT, token }).where
    expect(where({ attribute: 'email_address', clause: 'eq', value: 'Ada@Example.com' })).to.deep.equal({
      email_digest: `${LOOKUPS.email.purpose}/ada@example.com`,
    })
    expect(where({ attribute: 'first_name', clause: 'sw', value: ' Adam' })).to.deep.equal({
      first_name_beginning: `${LOOKUPS.first_name.purpose}.beginning/ad`,
    })
    expect(where({ attribute: 'first_name', clause: 'sw', value: 'A' })).to.deep.equal({})
    expect(where({ attribute: 'tags.id', clause: 'in', value: ['1', '2'], ids: [1, 2] })).to.deep.equal({
      tag_ids: { $in: [1, 2] },
    })
    const either = selectionFor(
      { conjunction: 'or', criteria: [{ attribute: 'tags.id', clause: 'eq', value: ['1'], ids: [1] }] },
      { at: AT, token },
    )
    expect(either.where).to.deep.equal({})
  })
})
