import { expect } from 'chai'
import type { Criterion } from '../../../domain/filters/criteria/criterion.ts'
import { parseDescription } from '../../../domain/filters/language/parse.ts'
import { TagNames } from '../../../domain/filters/language/tag-names.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'

const names = {
  tags: new TagNames().add([
    { publicId: 'vip', name: 'VIP' },
    { publicId: 'vipplus', name: 'VIP Plus' },
    { publicId: 'gold', name: 'gold' },
    { publicId: 'and', name: 'Salt and Pepper' },
  ]),
}
const tag = (clause: string, ...value: readonly string[]): Criterion => ({ attribute: 'tags.id', clause, value })
const ago = (attribute: string, clause: string, days: string): Criterion => ({
  attribute,
  clause,
  value: { days, modifier: 'ago' },
})
const of = (attribute: string, clause: string, value?: string | readonly string[]): Criterion => ({
  attribute,
  clause,
  ...(value !== undefined && { value }),
})

const understood: readonly (readonly [text: string, criteria: readonly Criterion[], conjunction?: 'or'])[] = [
  ['tagged VIP', [tag('eq', 'vip')]],
  ['Everyone who is tagged "vip plus".', [tag('eq', 'vipplus')]],
  ['contacts with the VIP Plus tag', [tag('eq', 'vipplus')]],
  ['contacts tagged Salt and Pepper and VIP', [tag('eq', 'and'), tag('eq', 'vip')]],
  ['tagged ((gold))!?', [tag('eq', 'gold')]],
  ['people tagged VIP or gold', [tag('in', 'vip', 'gold')]],
  ['people tagged VIP, gold and "Salt and Pepper"', [tag('eq', 'vip'), tag('eq', 'gold'), tag('eq', 'and')]],
  ['contacts not tagged gold', [tag('nin', 'gold')]],
  ['contacts without the tag VIP', [tag('nin', 'vip')]],
  ["who don't have the tag VIP or gold", [tag('nin', 'vip', 'gold')]],
  ['created in the last 30 days', [ago('created_at', 'lt', '30')]],
  ['who joined more than two weeks ago', [ago('created_at', 'gt', '14')]],
  ['signed up 3 days ago', [ago('created_at', 'exct', '3')]],
  ['who signed up yesterday', [ago('created_at', 'exct', '1')]],
  ['created since 2026-01-15', [of('created_at', 'gte', '2026-01-15')]],
  ['created after January 31, 2026', [of('created_at', 'gte', '2026-02-01')]],
  ['created before 1 March 2026', [of('created_at', 'lte', '2026-02-28')]],
  ['created on March 5th, 2026', [of('created_at', 'eq', '2026-03-05')]],
  ['created between 2026-01-01 and 2026-02-01', [of('created_at', 'btwn', ['2026-01-01', '2026-02-01'])]],
  ['added in February 2028', [of('created_at', 'btwn', ['2028-02-01', '2028-02-29'])]],
  ['added in 2025', [of('created_at', 'btwn', ['2025-01-01', '2025-12-31'])]],
  ['active in the last week', [ago('last_activity', 'lt', '7')]],
  ['inactive for 60 days', [ago('last_activity', 'gt', '60')]],
  ['not active in the past month', [ago('last_activity', 'gt', '30')]],
  ['last seen more than 90 days ago', [ago('last_activity', 'gt', '90')]],
  ['unsubscribed', [of('unsubscribed_at', 'st')]],
  ['who have not unsubscribed', [of('unsubscribed_at', 'nst')]],
  ['unsubscribed in the last 7 days', [ago('unsubscribed_at', 'lt', '7')]],
  ['whose first name is Ada', [of('first_name', 'eq', 'Ada')]],
  ['last name starts with Lo', [of('last_name', 'sw', 'Lo')]],
  ['email ends with @example.com', [of('email_address', 'ew', '@example.com')]],
  ['with email ada@example.com', [of('email_address', 'eq', 'ada@example.com')]],
  [
    'ada@example.com or bob@example.com',
    [of('email_address', 'eq', 'ada@example.com'), of('email_address', 'eq', 'bob@example.com')],
    'or',
  ],
  ['named Ada Lovelace', [of('first_name', 'eq', 'Ada'), of('last_name', 'eq', 'Lovelace')]],
  ['anonymous', [of('anonymous', 'eq', ['true'])]],
  ['suppressed', [of('email_suppression', 'st')]],
  [
    'tagged VIP and created in the last 30 days but not unsubscribed',
    [tag('eq', 'vip'), ago('created_at', 'lt', '30'), of('unsubscribed_at', 'nst')],
  ],
  ['tagged VIP or created in the last 30 days', [tag('eq', 'vip'), ago('created_at', 'lt', '30')], 'or'],
]

const refused: readonly (readonly [text: string, says: RegExp])[] = [
  ['contacts who live in Paris', /not understood at 'live', 'in', 'Paris'/],
  ['tagged Platinum', /not understood at 'tagged', 'Platinum'/],
  ['not tagged VIP and gold', /not understood/],
  ['active', /not understood at 'active'/],
  ['created in the last constructor', /not understood/],
  ['created in the last 3 constructors', /not understood/],
  ['created last', /not understood at 'created', 'last'/],
  ['created on 2026-02-30', /not understood/],
  ['created between 2026-03-01 and 2026-01-01', /not understood/],
  ['without email', /not understood at 'without', 'email'/],
  ['never opened an email', /not understood/],
  ['tagged VIP except those created today', /not understood at 'except'/],
  ['everyone', /names no condition/],
  ['', /names no condition/],
  ['tagged VIP and unsubscribed or suppressed', /both 'and' and 'or'/],
  ['tagged VIP and gold or unsubscribed', /both 'and' and 'or'|not understood/],
  [Array.from({ length: 26 }, (_, i) => `a${i}@example.com`).join(' or '), /too large to translate/],
  ['tagged VIP '.repeat(1000), /too large to translate/],
  ['the '.repeat(501), /too large to translate/],
]

describe('contact filters from plain words', () => {
  for (const [text, criteria, conjunction] of understood) {
    it(`understands: ${text}`, () => {
      const state = parseDescription(text, names)
      expect(state instanceof Refusal ? state.message : state).to.deep.equal({
        conjunction: conjunction ?? 'and',
        criteria,
      })
    })
  }

  for (const [text, says] of refused) {
    it(`refuses rather than guess: ${text.slice(0, 60)}`, () => {
      const refusal = parseDescription(text, names)
      if (!(refusal instanceof Refusal)) throw new Error(`understood as ${JSON.stringify(refusal)}`)
      expect(refusal.kind).to.equal('invalid')
      expect(refusal.message).to.match(says)
    })
  }
})
