import { expect } from 'chai'
import { routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import { moment } from '../../domain/kernel/model/fields.ts'
import { parseFields } from '../../domain/kernel/model/parse.ts'
import { dayBegins, dayEnds, dayIn, instantIn } from '../../domain/kernel/values/instant.ts'
import { ids } from '../support/projection.ts'

const IMPOSSIBLE = [
  '2026-02-30T10:00:00Z',
  '2027-06-31T10:00:00Z',
  '2027-02-29T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-00-10T10:00:00Z',
  '2026-01-00T10:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2016-12-31T23:59:60Z',
  '2026-01-01T10:00:00+18:01',
  '2026-01-01T10:00:00-19:00',
  '2026-01-01T10:00:00+02:60',
  '9999-12-31T23:00:00-02:00',
]
const NO_DATE_TIMES = [
  '',
  'now',
  '2026',
  '2026-1-1',
  '1767225600',
  '2026-01-01T10',
  '2026-01-01T10:00:00 Z',
  ' 2026-01-01',
]
const IMPOSSIBLE_DAYS = ['2026-02-30', '2027-06-31', '2027-02-29', '2026-13-01', '2026-00-10', '2026-01-00']

const POSSIBLE: readonly (readonly [string, string])[] = [
  ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
  ['2026-01-01T10:00', '2026-01-01T10:00:00.000Z'],
  ['2026-01-01 10:00:30', '2026-01-01T10:00:30.000Z'],
  ['2026-01-01T10:00:00.1', '2026-01-01T10:00:00.100Z'],
  ['2026-01-01T10:00:00.123456789Z', '2026-01-01T10:00:00.123Z'],
  ['2026-01-01T10:00:00+02:00', '2026-01-01T08:00:00.000Z'],
  ['2026-01-01T10:00:00-0330', '2026-01-01T13:30:00.000Z'],
  ['2026-01-01T10:00:00+18:00', '2025-12-31T16:00:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
]

/** Runs the tests of a block on a machine in this zone. */
const onMachineIn = (zone: string): void => {
  const before = process.env.TZ
  beforeEach(() => {
    process.env.TZ = zone
  })
  afterEach(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
}

const parsed = (value: unknown, dateAlone: 'begins' | 'ends' | 'refused' = 'begins', zone = 'UTC') => {
  const { values, details } = parseFields({ at: moment({ dateAlone }) }, { at: value }, 'change', { ids, zone })
  return details[0]?.code ?? values.at
}

/** Every field of a body that takes a date-time. */
const moments = routesOf(resources).flatMap(({ operation, operationId }) => {
  const fields = Object.entries(('body' in operation && operation.body?.fields) || {})
  return fields
    .filter(([, { schema }]) => JSON.stringify(schema).includes('"date-time"'))
    .map(([name, field]) => ({ name, field, operationId }))
})

describe('instants', () => {
  for (const zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati']) {
    describe(`on a machine in ${zone}`, () => {
      onMachineIn(zone)

      it('are in UTC where no offset is given', () => {
        expect(POSSIBLE.map(([text]) => instantIn(text))).to.deep.equal(POSSIBLE.map(([, utc]) => utc))
        expect(POSSIBLE.map(([text]) => parsed(text))).to.deep.equal(POSSIBLE.map(([, utc]) => utc))
      })

      it('that calendar or clock do not have are none', () => {
        for (const text of [...IMPOSSIBLE, ...NO_DATE_TIMES]) expect(instantIn(text), text).to.equal(undefined)
        for (const text of [...IMPOSSIBLE_DAYS, ...NO_DATE_TIMES]) expect(dayIn(text), text).to.equal(undefined)
        expect([...IMPOSSIBLE, ...IMPOSSIBLE_DAYS].map((text) => parsed(text))).to.deep.equal(
          [...IMPOSSIBLE, ...IMPOSSIBLE_DAYS].map(() => 'invalid'),
        )
        for (const value of [...NO_DATE_TIMES, 7, true, {}, []]) expect(parsed(value), String(value)).to.equal('type')
      })
    })
  }

  it('that are impossible are refused by every field of every operation', () => {
    expect(moments.length).to.be.greaterThan(20)
    const taken = moments.flatMap(({ name, field, operationId }) =>
      [...IMPOSSIBLE, ...IMPOSSIBLE_DAYS]
        .filter((text) => parseFields({ [name]: field }, { [name]: text }, 'change', { ids }).details.length === 0)
        .map((text) => `${operationId} ${name} ${text}`),
    )
    expect(taken).to.deep.equal([])
  })

  it('of a day alone are its beginning or its end in a zone, whatever its length', () => {
    expect(dayBegins('2026-03-08', 'America/New_York')).to.equal('2026-03-08T05:00:00.000Z')
    expect(dayEnds('2026-03-08', 'America/New_York'), 'of 23 hours').to.equal('2026-03-09T03:59:59.999Z')
    expect(dayEnds('2026-11-01', 'America/New_York'), 'of 25 hours').to.equal('2026-11-02T04:59:59.999Z')
    expect(dayBegins('2018-11-04', 'America/Sao_Paulo'), 'without midnight').to.equal('2018-11-04T03:00:00.000Z')
    expect(dayEnds('9999-12-31', 'America/New_York'), 'beyond the years of four digits').to.equal(undefined)
    expect(parsed('2026-03-05', 'begins', 'Asia/Tokyo')).to.equal('2026-03-04T15:00:00.000Z')
    expect(parsed('2026-03-05', 'ends', 'Asia/Tokyo')).to.equal('2026-03-05T14:59:59.999Z')
    expect(parsed('2026-03-05', 'ends')).to.equal('2026-03-05T23:59:59.999Z')
    expect(parsed('2026-03-05', 'refused')).to.equal('invalid')
    expect(parsed('2026-03-05T12:00', 'refused', 'Asia/Tokyo'), 'a time of day').to.equal('2026-03-05T12:00:00.000Z')
  })
})
