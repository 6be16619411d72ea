import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { callOf, sdkFunnel, viewed, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { type Visitors, visitorsOf } from '../../support/statistics/visitors.ts'

const DAY = 24 * 60 * 60_000
/** A day of the past week, at a time. */
const DATE = new Date(Date.now() - 5 * DAY).toISOString().slice(0, 10)
const at = (time: string): string => `${DATE}T${time.length === 5 ? `${time}:00` : time}.000Z`
const range = (from: string, to: string): string =>
  `timerange_start=${encodeURIComponent(from)}&timerange_end=${encodeURIComponent(to)}`

describe('statistics of a funnel', () => {
  let service: TestService
  let tenant: Tenant
  let visitors: Visitors

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    visitors = await visitorsOf(service, tenant)
  })

  const stats = async (id: number, query = '') => ok(await tenant.api.get(`/funnels/${id}/stats?${query}`))
  const steps = async (id: number, query = '') => (await stats(id, `expand[]=steps&${query}`)).steps
  const unique = async (id: number, from: string, to: string): Promise<number> =>
    (await steps(id, range(from, to)))[0].views_unique

  it('shows the shape and the last 30 days by default', async () => {
    const { id, steps: made } = await visitors.funnel(2)
    const shown = await stats(id)
    const public_id = (await tenant.api.get(`/funnels/${id}`)).body.public_id
    expect(shown.funnel).to.include({ id, public_id })
    expect(shown.currency).to.equal('USD')
    expect(Date.parse(shown.timerange.from) % 60_000).to.equal(0)
    expect(30 * DAY - Date.parse(shown.timerange.to) + Date.parse(shown.timerange.from)).to.be.within(0, 59_999)
    expect(Date.now() - Date.parse(shown.timerange.to)).to.be.within(0, 5000)
    expect(shown.summary).to.deep.equal({
      ...{ earnings_per_click: '0.00', upfront_sales: '0.00', upfront_sales_count: 0, recurring_sales: '0.00' },
      ...{ average_cart_value: '0.00', pageviews: 0, pageviews_without_consent: 0, pageviews_lost: 0, refunds: '0.00' },
      sales_in_other_currencies: 0,
    })
    expect(shown).not.to.have.property('steps')
    const pages = await Promise.all(made.map(({ pageId }) => tenant.api.get(`/pages/${pageId}`)))
    expect(shown.page_public_ids).to.deep.equal(pages.map(({ body }) => body.public_id))
    const expanded = await stats(id, 'expand[]=steps')
    expect(expanded).not.to.have.property('page_public_ids')
    expect(expanded.steps[0]).to.deep.equal({
      ...{ page_id: made[0]!.pageId, name: 'A', current_path: pages[0]!.body.show_page_step.current_path },
      ...{
        views_all: 0,
        views_unique: 0,
        views_without_consent: 0,
        optins: 0,
        optin_rate: 0,
        sales_count: 0,
        sales_rate: 0,
      },
      ...{ sales_value: '0.00', recurring_sales_count: 0, recurring_sales_value: '0.00', refunds_value: '0.00' },
      ...{ earnings_per_view: '0.00', earnings_per_unique_view: '0.00' },
    })
    expect(expanded.steps.map(({ name }: { name: string }) => name)).to.deep.equal(['A', 'B'])
  })

  it('normalizes the range, and never refuses one that can be read', async () => {
    const { id } = await visitors.funnel(1)
    const used = async (query: string) => (await stats(id, query)).timerange
    const days = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY
    expect(days(await used(range('2025-01-01', '2025-12-31')))).to.equal(90)
    expect((await used(range('2025-01-01', '2025-12-31'))).to).to.equal('2025-12-31T00:00:00.000Z')
    expect(await used(range('2026-03-02', '2026-03-01'))).to.deep.equal({
      from: '2026-01-30T00:00:00.000Z',
      to: '2026-03-01T00:00:00.000Z',
    })
    expect(Date.parse((await used('timerange_end=2999-01-01T00:00:00Z')).to)).to.be.at.most(Date.now())
    expect(days(await used('timerange_end=2026-01-05T00:00:00Z'))).to.equal(30)
  })

  it('reads offsets, an unescaped plus and dates without an offset as what they mean (case 51)', async () => {
    const { id } = await visitors.funnel(1)
    const used = async (start: string) =>
      (await stats(id, `timerange_start=${start}&timerange_end=2026-03-05`)).timerange.from
    for (const text of ['2026-03-01T00:00:00%2B05:30', '2026-03-01T00:00:00+05:30', '2026-03-01T00:00:00+0530'])
      expect(await used(text)).to.equal('2026-02-28T18:30:00.000Z')
    expect(await used('2026-03-01T00:00:00-05:00')).to.equal('2026-03-01T05:00:00.000Z')
    expect(await used('2026-03-01T00:00:00')).to.equal('2026-03-01T00:00:00.000Z')
    for (const text of ['yesterday', '2026-02-30', '2026-03-01T25:00:00Z', '%00']) {
      const { status, body } = await tenant.api.get(`/funnels/${id}/stats?timerange_start=${text}`)
      expect(status, text).to.equal(400)
      expect(body.details[0]).to.include({ field: 'timerange_start' })
    }
    expect((await tenant.api.get(`/funnels/${id}/stats?live_mode=maybe`)).status).to.equal(400)
    expect((await tenant.api.get(`/funnels/${id}/stats?expand[]=pages`)).status).to.equal(400)
    expect((await tenant.api.get('/funnels/999999/stats')).status).to.equal(404)
  })

  it('counts sessions of a window, and not of its hours (case 45)', async () => {
    const { id, steps: made } = await visitors.funnel(1)
    await visitors.views(made[0]!, [at('10:59'), at('11:01'), at('11:29'), at('11:58'), at('12:25')])
    expect(await unique(id, at('10:00'), at('13:00'))).to.equal(1)
    for (const hour of [10, 11, 12]) expect(await unique(id, at(`${hour}:00`), at(`${hour + 1}:00`))).to.equal(1)
    expect(await unique(id, at('11:01:00'), at('11:01:01'))).to.equal(1)
    expect(await unique(id, at('11:01:01'), at('11:29:00'))).to.equal(0)
    const [step] = await steps(id, range(at('00:00'), at('23:59')))
    expect(step).to.include({ views_all: 5, views_unique: 1 })
  })

  it('uses half-open windows, so that those that touch add up (case 50)', async () => {
    const { id, steps: made } = await visitors.funnel(1)
    await visitors.views(made[0]!, [at('09:00'), at('09:10')])
    await visitors.sells(made[0]!, { at: at('09:10'), once: '5.00' })
    const [before, after] = [
      await stats(id, range(at('09:00'), at('09:10'))),
      await stats(id, range(at('09:10'), at('09:20'))),
    ]
    expect(before.summary).to.include({ pageviews: 1, upfront_sales_count: 0 })
    expect(after.summary).to.include({ pageviews: 1, upfront_sales_count: 1 })
  })

  it('keeps rates between 0 and 1, with three decimals (case 54)', async () => {
    const { id, steps: made } = await visitors.funnel(1)
    for (let n = 0; n < 3; n++) await visitors.views(made[0]!, [at(`08:0${n}`)])
    await visitors.submits(made[0]!, at('08:10'))
    const within = range(at('08:00'), at('09:00'))
    expect((await steps(id, within))[0]).to.include({ views_unique: 3, optins: 1, optin_rate: 0.333 })
    for (let n = 0; n < 5; n++) await visitors.submits(made[0]!, at('08:20'))
    expect((await steps(id, within))[0]).to.include({ optins: 6, optin_rate: 1 })
    expect((await steps(id, range(at('08:05'), at('09:00'))))[0]).to.include({
      views_unique: 0,
      optins: 6,
      optin_rate: 0,
    })
  })

  it('counts a sale in the hour of its payment, gross, with refunds beside it (cases 55, 56)', async () => {
    const { id, steps: made } = await visitors.funnel(2, false)
    const [, step] = made
    await visitors.views(step!, [at('13:00')], { live_mode: false })
    await visitors.views(step!, [at('13:00')], { live_mode: false })
    const order = await visitors.sells(step!, { at: at('13:30'), once: '30.01', live: false })
    const test = 'live_mode=false'
    const hour = `${test}&${range(at('13:00'), at('14:00'))}`
    const sold = {
      sales_count: 1,
      sales_rate: 0.5,
      sales_value: '30.01',
      refunds_value: '0.00',
      earnings_per_view: '15.01',
    }
    expect((await steps(id, hour))[1]).to.include(sold)
    await visitors.refunds(order, at('16:00'))
    expect((await steps(id, hour))[1]).to.include(sold)
    expect((await stats(id, test)).summary).to.include({ upfront_sales: '30.01', refunds: '30.01' })
    expect((await stats(id)).summary).to.include({ upfront_sales: '0.00', refunds: '0.00', pageviews: 0 })
  })

  it('divides what was paid into upfront and recurring (case 57)', async () => {
    const { id, steps: made } = await visitors.funnel(1)
    await visitors.sells(made[0]!, { at: at('15:00'), once: '20.00', recurring: '9.90' })
    await visitors.sells(made[0]!, { at: at('15:10'), recurring: '0.00' })
    const within = range(at('15:00'), at('16:00'))
    expect((await stats(id, within)).summary).to.include({
      ...{ upfront_sales: '20.00', upfront_sales_count: 1, recurring_sales: '9.90', average_cart_value: '20.00' },
    })
    expect((await steps(id, within))[0]).to.include({
      ...{ sales_count: 2, sales_value: '20.00', recurring_sales_count: 2, recurring_sales_value: '9.90' },
    })
  })

  it('counts renewals as recurring revenue, and not as sales (case 57)', async () => {
    const clocked = await service.tenant({ test: true })
    const here = await visitorsOf(service, clocked)
    const { id, steps: made } = await here.funnel(1, false)
    const { now } = ok(await clocked.api.get(`/workspaces/${clocked.workspaceId}/test_clock`))
    await here.sells(made[0]!, { at: now, once: '20.00', recurring: '9.90', live: false })
    await here.passes(35)
    await service.caughtUp()
    const shown = ok(
      await clocked.api.get(`/funnels/${id}/stats?live_mode=false&expand[]=steps&timerange_start=${now}`),
    )
    expect(shown.summary).to.include({ upfront_sales: '20.00', upfront_sales_count: 1, recurring_sales: '19.80' })
    expect(shown.steps[0]).to.include({ sales_count: 1, recurring_sales_count: 1, recurring_sales_value: '19.80' })
    const recently = ok(await clocked.api.get(`/funnels/${id}/stats?live_mode=false`))
    expect(recently.summary).to.include({ upfront_sales: '0.00', recurring_sales: '9.90' })
  })

  it('leaves out orders in other currencies, and says how many (case 58)', async () => {
    const { id, steps: made } = await visitors.funnel(1)
    await visitors.sells(made[0]!, { at: at('16:00'), once: '10.00' })
    await visitors.sells(made[0]!, { at: at('16:01'), once: '900', currency: 'JPY' })
    const { summary } = await stats(id, range(at('16:00'), at('17:00')))
    expect(summary).to.include({ upfront_sales: '10.00', upfront_sales_count: 1, sales_in_other_currencies: 1 })
  })

  it('counts views without consent, which belong to no session, and no robots (cases 46, 48)', async () => {
    const { id, steps: made } = await visitors.funnel(1)
    await visitors.views(made[0]!, [at('17:00')], { consent: false })
    await visitors.views(made[0]!, [at('17:00')], { bot: true })
    const session = await visitors.views(made[0]!, [at('17:00')])
    await visitors.viewsAgain(session, made[0]!, [at('17:01')])
    const within = range(at('17:00'), at('18:00'))
    expect((await steps(id, within))[0]).to.include({ views_all: 3, views_unique: 1, views_without_consent: 1 })
    expect((await stats(id, within)).summary).to.include({ pageviews: 3, pageviews_without_consent: 1 })
  })

  it('counts by the mode in which the funnel was (case 47)', async () => {
    const { id, steps: made } = await visitors.funnel(1, false)
    await visitors.views(made[0]!, [at('18:00')], { live_mode: false })
    ok(await tenant.api.put(`/funnels/${id}`, { funnel: { live_mode: true } }))
    await visitors.views(made[0]!, [at('18:01')])
    expect((await stats(id)).summary.pageviews).to.equal(1)
    expect((await stats(id, 'live_mode=false')).summary.pageviews).to.equal(1)
    ok(await tenant.api.put(`/funnels/${id}`, { funnel: { live_mode: false } }))
    expect((await stats(id)).summary.pageviews).to.equal(1)
  })

  it('keeps the numbers of steps that are removed, moved or put into a split (case 59)', async () => {
    const { id, steps: made } = await visitors.funnel(3)
    const [first, second, third] = made
    for (const step of made) await visitors.views(step, [at('19:00')])
    await visitors.sells(second!, { at: at('19:01'), once: '7.00' })
    const within = range(at('19:00'), at('20:00'))
    const { summary } = await stats(id, within)
    expect(summary).to.include({ pageviews: 3, upfront_sales: '7.00' })
    const split = { show_page_step_id: first!.stepId, variants: [{ page_id: third!.pageId }] }
    await tenant.api.post(`/funnels/${id}/split_test_steps`, { split_test_step: split })
    expect((await tenant.api.delete(`/pages/${second!.pageId}`)).status).to.equal(204)
    await service.caughtUp()
    expect((await stats(id, within)).summary).to.deep.equal(summary)
    const left = await steps(id, within)
    expect(left.map(({ page_id }: { page_id: number }) => page_id)).not.to.include(second!.pageId)
    expect(left.find(({ page_id }: { page_id: number }) => page_id === first!.pageId)).to.include({ views_all: 1 })
  })

  it('answers as of a moment with what was there and recorded then (case 52)', async () => {
    const { id, steps: made } = await visitors.funnel(1)
    const now = () => new Date().toISOString()
    const earlier = () => new Date(Date.now() - 10 * 60_000).toISOString()
    await visitors.views(made[0]!, [now()])
    await sleep(3)
    const moment = now()
    await sleep(3)
    ok(await tenant.api.put(`/funnels/${id}`, { funnel: { name: 'Renamed' } }))
    ok(await tenant.api.put(`/pages/${made[0]!.pageId}`, { page: { name: 'Other' } }))
    const late = await sdkLate(made[0]!, earlier())
    expect(late).to.be.greaterThan(0)
    const then = await stats(id, `expand[]=steps&as_of=${moment}`)
    expect(then.timerange.to).to.equal(moment)
    expect(then.summary.pageviews).to.equal(1)
    expect(then.funnel.name).not.to.equal('Renamed')
    expect(then.steps[0]).to.include({ name: 'A', views_all: 1, views_unique: 1 })
    const today = await stats(id, 'expand[]=steps')
    expect(today.summary.pageviews).to.equal(2)
    expect(today.steps[0]).to.include({ name: 'Other', views_all: 2, views_unique: 2 })
    const before = await tenant.api.get(`/funnels/${id}/stats?as_of=2020-01-01T00:00:00Z`)
    expect(before.status).to.equal(404)
  })

  /** A view of ten minutes ago that is recorded now. */
  const sdkLate = (step: Parameters<Visitors['views']>[0], viewed_at: string) =>
    visitors.views(step, [new Date().toISOString()], { viewed_at })

  it('shows the step of a page, and null for a page of no funnel', async () => {
    const { id, steps: made } = await visitors.funnel(2)
    await visitors.views(made[1]!, [at('20:00'), at('20:01')])
    const shown = ok(await tenant.api.get(`/pages/${made[1]!.pageId}/stats?${range(at('20:00'), at('21:00'))}`))
    expect(shown.step).to.include({ page_id: made[1]!.pageId, name: 'B', views_all: 2, views_unique: 1 })
    expect(shown.step).to.deep.equal((await steps(id, range(at('20:00'), at('21:00'))))[1])
    expect(shown.funnel.id).to.equal(id)
    expect(shown.page).to.include({ id: made[1]!.pageId, type: 'funnel_page' })
    const page = { name: 'Alone' }
    const alone = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/pages`, { page }))
    const none = ok(await tenant.api.get(`/pages/${alone.id}/stats`))
    expect(none).to.include({ funnel: null, step: null })
    expect((await tenant.api.get('/pages/999999/stats')).status).to.equal(404)
  })

  it('counts what pages report over the listener of the SDK (cases 41, 49)', async () => {
    const funnel = await sdkFunnel(tenant, ['https://stats.example/a', 'https://stats.example/b'])
    const call = callOf(service)
    const [a, b] = [funnel.pages[0]!, funnel.pages[1]!]
    const sent = visit()
    const { session } = (await call('/visits', a, sent)).body
    await call('/visits', a, sent)
    await call('/visits', a, { session, consent: true, visit: viewed({ number: 2 }) })
    await call('/visits', b, { session, consent: true, visit: viewed({ number: 3 }) })
    await service.caughtUp()
    const shown = await steps(funnel.id)
    expect(shown[0]).to.include({ views_all: 2, views_unique: 1, current_path: '/a' })
    expect(shown[1]).to.include({ views_all: 1, views_unique: 1, current_path: '/b' })
  })
})
