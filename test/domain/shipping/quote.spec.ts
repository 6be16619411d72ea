import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import fc from 'fast-check'
import { destinationOf } from '../../../domain/shipping/offers.ts'
import { type Destination, type QuotedProfile, quote } from '../../../domain/shipping/quote.ts'

const rate = (id: number, name: string, amount: number) => ({ id, name, amount: BigInt(amount) })
const zone = (more: object, ...rates: ReturnType<typeof rate>[]) => ({
  country_ids: [],
  region_ids: [],
  includes_rest_of_world: false,
  ...more,
  rates,
})
const shown = (options: ReturnType<typeof quote>) => options.map(({ id, name, amount }) => [id, name, Number(amount)])

describe('a shipping quote', () => {
  const parcels: QuotedProfile = {
    variant_ids: [1, 2],
    zones: [
      zone({ includes_rest_of_world: true }, rate(11, 'Standard', 2000)),
      zone({ country_ids: ['US'] }, rate(12, 'Express', 1500), rate(13, 'Standard', 500)),
      zone({ region_ids: ['US-AK'] }, rate(14, 'Standard', 900)),
    ],
  }
  const freight: QuotedProfile = {
    variant_ids: [3],
    zones: [
      zone({ country_ids: ['US'] }, rate(21, 'Express', 700), rate(22, 'Pallet', 600), rate(23, 'Standard', 800)),
    ],
  }

  it('prefers the region to the country, and the country to the rest of the world; cheapest first', () => {
    const to = (country: string, region: string | null) => shown(quote([1], [parcels], destinationOf(country, region)))
    const mainland = [
      ['13', 'Standard', 500],
      ['12', 'Express', 1500],
    ]
    expect(to('US', 'Texas')).to.deep.equal(mainland)
    expect(to('US', null)).to.deep.equal(mainland)
    expect(to('US', 'Alaska')).to.deep.equal([['14', 'Standard', 900]])
    expect(to('US', 'ak')).to.deep.equal([['14', 'Standard', 900]])
    expect(to('FR', null)).to.deep.equal([['11', 'Standard', 2000]])
  })

  it('of several profiles is the sum of the cheapest of each, or of rates with one name', () => {
    expect(shown(quote([2, 3], [parcels, freight], { country: 'US' }))).to.deep.equal([
      ['13+22', 'Standard + Pallet', 1100],
      ['13+23', 'Standard', 1300],
      ['12+21', 'Express', 2200],
    ])
  })

  it('is empty when one of the profiles does not ship there, and zero for variants in no profile', () => {
    expect(quote([1, 3], [parcels, freight], { country: 'FR' })).to.deep.equal([])
    expect(shown(quote([9], [parcels], { country: 'FR' }))).to.deep.equal([['free', null, 0]])
    expect(shown(quote([9, 1], [parcels], { country: 'FR' }))).to.deep.equal([['11', 'Standard', 2000]])
    expect(quote([], [parcels], { country: 'FR' })).to.deep.equal([])
  })

  it('equals a query over the same tables', () => {
    const places = fc.record({
      countries: fc.uniqueArray(fc.constantFrom('US', 'DE', 'CA'), { maxLength: 3 }),
      regions: fc.uniqueArray(fc.constantFrom('US-AK', 'US-TX', 'CA-ON'), { maxLength: 3 }),
      // Zone of each place; 3 means none.
      zones: fc.array(fc.nat(3), { minLength: 7, maxLength: 7 }),
    })
    const rates = fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.nat(9), fc.nat(2)), { maxLength: 8 })
    const profile = fc.record({ places, rates, variants: fc.uniqueArray(fc.nat(5), { maxLength: 3 }) })
    const destination = fc.constantFrom<Destination>(
      { country: 'US', region: 'US-AK' },
      { country: 'US', region: 'US-TX' },
      { country: 'US' },
      { country: 'CA', region: 'CA-ON' },
      { country: 'DE' },
      { country: 'FR' },
    )
    const tables = new Tables()
    fc.assert(
      fc.property(
        fc.array(profile, { minLength: 1, maxLength: 3 }),
        fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 4 }),
        destination,
        (drawn, cart, to) => {
          let id = 0
          const taken = new Set<number>()
          const profiles = drawn.map(({ places: { countries, regions, zones }, rates: all, variants }) => {
            const variant_ids = variants.filter((one) => !taken.has(one))
            for (const one of variant_ids) taken.add(one)
            return {
              variant_ids,
              zones: [0, 1, 2].map((own) => ({
                country_ids: countries.filter((_, index) => zones[index] === own),
                region_ids: regions.filter((_, index) => zones[3 + index] === own),
                includes_rest_of_world: zones[6] === own,
                rates: all.filter(([, , in_]) => in_ === own).map(([name, amount]) => rate(++id, name, amount)),
              })),
            }
          })
          const options = quote(cart, profiles, to)
          const expected = tables.fill(profiles, cart).options(to)
          expect(options.map(({ id, amount }) => `${id} ${amount}`).sort()).to.deep.equal([...expected].sort())
          const amounts = options.map(({ amount }) => Number(amount))
          expect(amounts).to.deep.equal([...amounts].sort((a, b) => a - b))
        },
      ),
      { numRuns: 300 },
    )
    tables.close()
  })
})

/** The same tables in SQLite, and the quote that a query gives. */
class Tables {
  readonly #db = new DatabaseSync(':memory:')

  constructor() {
    this.#db.exec(`
      create table cart (variant); create table member (profile, variant);
      create table place (profile, zone, kind, code); create table rate (profile, zone, id, name, amount)`)
  }

  fill(profiles: readonly QuotedProfile[], cart: readonly number[]): this {
    const put = (sql: string, ...values: (string | number)[]) => this.#db.prepare(sql).run(...values)
    this.#db.exec('delete from cart; delete from member; delete from place; delete from rate')
    for (const variant of cart) put('insert into cart values (?)', variant)
    for (const [profile, { variant_ids, zones }] of profiles.entries()) {
      for (const variant of variant_ids) put('insert into member values (?, ?)', profile, variant)
      for (const [zone, { country_ids, region_ids, includes_rest_of_world, rates }] of zones.entries()) {
        const place = (kind: number, code: string) =>
          put('insert into place values (?, ?, ?, ?)', profile, zone, kind, code)
        for (const code of region_ids) place(0, code)
        for (const code of country_ids) place(1, code)
        if (includes_rest_of_world) place(2, '*')
        for (const { id, name, amount } of rates)
          put('insert into rate values (?, ?, ?, ?, ?)', profile, zone, id, name, Number(amount))
      }
    }
    return this
  }

  options({ country, region = '' }: Destination): readonly string[] {
    const found = this.#db
      .prepare(`
        with wanted as (select distinct profile from member join cart using (variant)),
        ranked as (
          select profile, zone, row_number() over (partition by profile order by kind, zone) as turn
          from place where code in (?, ?, '*')),
        offered as (
          select rate.* from rate join ranked using (profile, zone) join wanted using (profile) where turn = 1),
        best as (select *, row_number() over (partition by profile order by amount, id) as turn from offered),
        called as (select *, row_number() over (partition by profile, name order by amount, id) as turn from offered),
        options as (
          select group_concat(id, '+') as id, sum(amount) as amount, count(*) as parts
          from (select * from best where turn = 1 order by profile)
          union
          select group_concat(id, '+'), sum(amount), count(*)
          from (select * from called where turn = 1 order by profile) group by name
          union
          select cast(id as text), amount, 1 from offered)
        select 'free 0' as shown where not exists (select 1 from wanted)
        union
        select id || ' ' || amount from options
        where parts = (select count(*) from wanted) and parts > 0`)
      .all(region, country) as { shown: string }[]
    return found.map(({ shown }) => shown)
  }

  close(): void {
    this.#db.close()
  }
}
