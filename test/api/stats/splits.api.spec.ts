import { expect } from 'chai'
import { asTable } from '../../../infra/cli/commands/stats.ts'
import { ok } from '../../support/client.ts'
import { askHost } from '../../support/hosts.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { type Visitors, visitorsOf } from '../../support/statistics/visitors.ts'
import { splitFunnel } from '../../support/traffic/entry-traffic.ts'
import { builder } from '../../support/traffic/funnels.ts'

const AT = new Date(Date.now() - 60 * 60_000).toISOString()

describe('statistics of the splits at the entry of a funnel', () => {
  let service: TestService
  let tenant: Tenant
  let visitors: Visitors
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    visitors = await visitorsOf(service, tenant)
  })

  const splitsOf = async (id: number, query = '') => {
    await service.caughtUp()
    return ok(await tenant.api.get(`/funnels/${id}/stats?expand[]=steps${query}`)).splits
  }

  it('13b 36: show entries as they are decided, and arrivals as the pages report them', async () => {
    const { funnel, first, second, split, host } = await splitFunnel(tenant, [50, 50])
    const locations = await Promise.all(
      Array.from({ length: 20 }, async () => (await askHost(service.publicUrl, host, funnel.current_path)).headers),
    )
    const firsts = locations.filter(({ location }) => location?.endsWith('/first')).length
    const stepId = ok(await tenant.api.get(`/pages/${first.id}`)).show_page_step.id
    const step = { funnelId: funnel.id, stepId, pageId: first.id }
    for (let times = 0; times < 3; times++) await visitors.views(step, [AT, AT], { live_mode: false })
    const [shown, ...others] = await splitsOf(funnel.id, '&live_mode=false')
    expect(others).to.deep.equal([])
    expect(shown).to.deep.equal({
      ...{ id: split.id, step_type: 'split_test_step', entries_fit: null, arrivals_fit: null, warnings: [] },
      former_pages: [],
      variants: [
        { page_ids: [first.id], name: 'First', weight: 50, entries: firsts, arrivals: 3 },
        { page_ids: [second.id], name: 'Second', weight: 50, entries: 20 - firsts, arrivals: 0 },
      ],
    })
    const [live] = await splitsOf(funnel.id)
    expect(live.variants[0]).to.include({ entries: 0, arrivals: 0 })
    const [before] = await splitsOf(funnel.id, `&live_mode=false&timerange_end=${AT}`)
    expect(before.variants.map(({ entries }: { entries: number }) => entries)).to.deep.equal([0, 0])
  })

  it('13b 36: say that entries do not fit the weights, and that arrivals do not fit the entries', async () => {
    const { funnel, first, second, split } = await splitFunnel(tenant, [50, 50])
    const drawn = { funnelId: funnel.id, splitId: split.id, weights: [50, 50] as const }
    for (let times = 0; times < 100; times++) await visitors.enters(drawn, times < 55 ? 0 : 1, AT)
    const stepOf = async (pageId: number) => {
      const { show_page_step } = ok(await tenant.api.get(`/pages/${pageId}`))
      return { funnelId: funnel.id, stepId: show_page_step.id, pageId }
    }
    const [one, other] = [await stepOf(first.id), await stepOf(second.id)]
    for (let times = 0; times < 40; times++) await visitors.views(one, [AT])
    for (let times = 0; times < 8; times++) await visitors.views(other, [AT])
    const [slow] = await splitsOf(funnel.id)
    expect(slow).to.include({ entries_fit: true, arrivals_fit: false })
    expect(slow.warnings).to.have.length(1)
    for (let times = 0; times < 60; times++) await visitors.enters(drawn, 0, AT)
    const [skewed] = await splitsOf(funnel.id)
    expect(skewed).to.include({ entries_fit: false })
    expect(skewed.variants[0]).to.include({ entries: 115, arrivals: 40 })
    expect(skewed.warnings[0]).to.match(/entries do not fit the weights/)
    const stats = ok(await tenant.api.get(`/funnels/${funnel.id}/stats?expand[]=steps`))
    const table = asTable(stats)
    expect(table).to.match(
      /\nSplit test +Weight +Entries +Arrivals\nFirst +50 +115 +40\nSecond +50 +45 +8\n! The entries do not/,
    )
  })

  it('are those that visitors may pass before their first page, also behind a branch without one', async () => {
    const build = builder(tenant)
    const funnel = await build.funnel()
    const last = await build.page({ name: 'Last', funnel: { funnel_id: funnel.id } })
    const matched = await build.page({ name: 'Matched' })
    await build.conditional(funnel.id, { branches: [{ page_id: matched.id }, {}] })
    const [shown, ...others] = await splitsOf(funnel.id)
    expect(others).to.deep.equal([])
    expect(shown).to.include({ step_type: 'conditional_split_step', entries_fit: null })
    expect(shown.variants).to.deep.equal([
      { page_ids: [matched.id], name: 'Matched', weight: null, entries: 0, arrivals: 0 },
      { page_ids: [last.id], name: 'Last', weight: null, entries: 0, arrivals: 0 },
    ])
  })
})
