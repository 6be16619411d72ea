import { Temporal } from '@js-temporal/polyfill'
import { expect } from 'chai'
import { ok } from '../support/client.ts'
import { type TestService, testService } from '../support/service.ts'
import { type Shop, shopOf } from '../support/traffic/shop.ts'
import { byForm } from './form.ts'

const YEARS = 3
/** The short form has one whose clocks change by half an hour, in the southern year, and one of the northern. */
const ZONES = byForm(
  ['Europe/Berlin', 'Australia/Lord_Howe'],
  ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu'],
)
const AMOUNTS = { months: '30.00', years: '300.00', weeks: '7.50' }
type Interval = keyof typeof AMOUNTS

type Moment = Temporal.ZonedDateTime

/** The same day a number of months later, or the last day of a month that is too short. */
const inMonth = ({ year, month, day }: Moment, months: number): Temporal.PlainDate => {
  const count = year * 12 + (month - 1) + months
  const first = Temporal.PlainDate.from({ year: Math.floor(count / 12), month: (count % 12) + 1, day: 1 })
  return first.with({ day: Math.min(day, first.daysInMonth) })
}

const DATES: Readonly<Record<Interval, (begun: Moment, n: number) => Temporal.PlainDate>> = {
  months: inMonth,
  years: (begun, n) => inMonth(begun, 12 * n),
  weeks: (begun, n) => begun.toPlainDate().add({ days: 7 * n }),
}

/** Start of the nth period by the calendar alone: first the date is computed, then the zone is applied. */
const oracle = (begun: Moment, interval: Interval, n: number): Moment => {
  const local = DATES[interval](begun, n).toPlainDateTime(begun.toPlainTime())
  return local.toZonedDateTime(begun.timeZoneId, { disambiguation: 'compatible' })
}

/** A week before a time of day that a clock change skips. In a zone without clock changes, any night. */
const beforeChange = (zone: string): Moment => {
  const from = Temporal.PlainDateTime.from('2028-03-01T00:30').toZonedDateTime(zone)
  for (let at = from.getTimeZoneTransition('next'); at; at = at.getTimeZoneTransition('next')) {
    const before = at.subtract({ nanoseconds: 1 })
    if (at.offsetNanoseconds > before.offsetNanoseconds)
      return before.toPlainDateTime().add({ minutes: 15 }).subtract({ days: 7 }).toZonedDateTime(zone)
  }
  return from
}

const iso = (at: Moment): string => new Date(at.epochMilliseconds).toISOString()

interface Bought {
  readonly interval: Interval
  readonly order: number
  /** Start of its first period. */
  readonly begun: Moment
  readonly end: string
}

describe('three years of billing over REST', () => {
  let service: TestService
  before(async () => {
    service = await testService()
  })

  const reaches = async (shop: Shop, at: string): Promise<void> => {
    const { now } = ok(await shop.api.get(`${shop.workspace}/test_clock`))
    await shop.passes((Date.parse(at) - Date.parse(now)) / (24 * 60 * 60 * 1000))
  }

  const buys = async (shop: Shop, interval: Interval, at: Moment): Promise<Bought> => {
    const line = await shop.sells({ amount: AMOUNTS[interval], payment_type: 'subscription', interval })
    await reaches(shop, iso(at))
    const { status, created_at, order_id } = await shop.buys(line)
    expect(status).to.equal('completed')
    const begun = Temporal.Instant.from(created_at).toZonedDateTimeISO(at.timeZoneId)
    return { interval, order: order_id, begun, end: iso(oracle(begun, 'years', YEARS).add({ hours: 1 })) }
  }

  /** Reads a whole list page by page. */
  const all = async ({ api }: Shop, path: string) => {
    const found = []
    for (
      let page = ok(await api.get(path));
      page.length > 0;
      page = ok(await api.get(`${path}?after=${page.at(-1).id}`))
    )
      found.push(...page)
    return found
  }

  /** Expected charges until a time. The first invoice is created together with the order. */
  const expectedOf = ({ interval, begun, order }: Bought, ordered: string, until: string) => {
    const periods = [{ order, at: ordered, amount: AMOUNTS[interval], type: 'initial' }]
    for (let n = 1; iso(oracle(begun, interval, n)) <= until; n++)
      periods.push({ order, at: iso(oracle(begun, interval, n)), amount: AMOUNTS[interval], type: 'renewal' })
    return periods
  }

  const walks = async (zone: string): Promise<void> => {
    const tenant = await service.tenant({ test: true })
    ok(await tenant.api.put(`/workspaces/${tenant.workspaceId}`, { workspace: { time_zone: zone } }))
    const shop = await shopOf(tenant)
    const at = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(zone)
    const wanted: [Interval, Moment][] = [
      ['years', at('2028-02-29T23:30')],
      ['months', at('2028-03-31T09:00')],
      ['weeks', beforeChange(zone)],
    ]
    wanted.sort(([, one], [, other]) => Temporal.ZonedDateTime.compare(one, other))
    const bought: Bought[] = []
    for (const [interval, begun] of wanted) bought.push(await buys(shop, interval, begun))
    for (const { end } of bought) await reaches(shop, end)
    const until = bought.at(-1)!.end
    const expected = []
    for (const one of bought) {
      const order = await shop.order(one.order)
      const periods = expectedOf(one, order.created_at, until)
      expect(order).to.include({
        ...{ service_status: 'active', billing_status: 'paid', recurring_invoices_paid_count: periods.length },
        next_charge_at: iso(oracle(one.begun, one.interval, periods.length)),
      })
      expect(await all(shop, `/orders/${one.order}/transactions`)).to.have.length(periods.length)
      expected.push(...periods)
    }
    expected.sort((one, other) => (one.at < other.at ? -1 : 1))
    const invoices = []
    for (const { order } of bought) invoices.push(...(await all(shop, `/orders/${order}/invoices`)))
    const shown = invoices.map(({ order_id, issued_at, total_amount, invoice_type, status, invoice_number }) => ({
      ...{ order: order_id, at: issued_at, amount: total_amount, type: invoice_type, status, number: invoice_number },
    }))
    expect(shown.sort((one, other) => (one.at < other.at ? -1 : 1))).to.deep.equal(
      expected.map((one, index) => ({ ...one, status: 'paid', number: `TEST-${1001 + index}` })),
    )
  }

  it('invoices every period when it begins by the calendar of its zone, numbered as they come', async function () {
    // Hundreds of periods, each with several commits that are forced to disk.
    this.timeout(180_000)
    await Promise.all(ZONES.map(walks))
  })
})
