import { expect } from 'chai'
import { parseStream } from '../../../domain/kernel/values/stream-name.ts'
import { ok } from '../../support/client.ts'
import { askHost } from '../../support/hosts.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { splitFunnel } from '../../support/traffic/entry-traffic.ts'

const EVENT = 'EntryPlaced'
const ROUNDS = 30

interface SplitShown {
  readonly variants: readonly {
    readonly page_ids: readonly number[]
    readonly entries: number
    readonly arrivals: number
  }[]
  readonly former_pages: readonly { readonly page_id: number; readonly name: string; readonly entries: number }[]
}

describe('statistics of a split whose pages are swapped', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
  })

  const splitOf = async (funnelId: number) => {
    await service.caughtUp()
    return ok(await tenant.api.get(`/funnels/${funnelId}/stats?expand[]=steps&live_mode=false`)).splits[0]
  }
  const newPage = async (name: string): Promise<number> => {
    const page = { name, current_path: `/${name.toLowerCase()}` }
    return ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/pages`, { page })).id
  }
  const enter = async ({ host, funnel }: Awaited<ReturnType<typeof splitFunnel>>, times: number) => {
    for (let count = 0; count < times; count++) await askHost(service.publicUrl, host, funnel.current_path)
  }
  const vary = async (
    { funnel, split }: Awaited<ReturnType<typeof splitFunnel>>,
    variants: readonly (readonly [pageId: number, weight: number])[],
  ) => {
    const split_test_step = { variants: variants.map(([page_id, weight]) => ({ page_id, weight })) }
    ok(await tenant.api.put(`/funnels/${funnel.id}/split_test_steps/${split.id}`, { split_test_step }))
  }

  it('leave the entries of a page with that page', async () => {
    const of = await splitFunnel(tenant, [50, 50])
    await vary(of, [
      [of.first.id, 0],
      [of.second.id, 100],
    ])
    await enter(of, 7)
    const third = await newPage('Third')
    await vary(of, [
      [of.first.id, 0],
      [third, 100],
    ])
    await enter(of, 4)
    const shown: SplitShown & { readonly arrivals_fit: unknown } = await splitOf(of.funnel.id)
    expect(shown.variants.map(({ entries }) => entries)).to.deep.equal([0, 4])
    expect(shown.former_pages).to.deep.equal([{ page_id: of.second.id, name: 'Second', entries: 7 }])
    expect(shown.arrivals_fit).to.equal(null)
  })

  it('equal a count of the log over random swaps, weights and erasures', async () => {
    const r = random(seedOfRun())
    const of = await splitFunnel(tenant, [50, 50])
    const spare = [await newPage('Spare-a'), await newPage('Spare-b')]
    const variants: [number, number] = [of.first.id, of.second.id]
    for (let round = 0; round < ROUNDS; round++) {
      const weight = r.pick([0, 20, 50, 100])
      if (r.below(3) === 0) {
        // A page that was shown before comes back by a step of its own.
        const index = r.below(2) === 0 ? 0 : 1
        const [next = 0] = spare.splice(r.below(spare.length), 1, variants[index])
        variants[index] = next
      }
      await vary(of, [
        [variants[0], weight],
        [variants[1], 100 - weight],
      ])
      if (r.below(4) === 0) {
        const contact = { email_address: `swap.${round}@example.com` }
        const { id } = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, { contact }))
        expect((await tenant.api.delete(`/contacts/${id}/gdpr_destroy`)).status).to.be.below(300)
      }
      await service.caughtUp()
      await enter(of, r.below(5))
    }
    const shown: SplitShown = await splitOf(of.funnel.id)
    const steps = new Map<number, number>()
    for (const id of variants) steps.set(ok(await tenant.api.get(`/pages/${id}`)).show_page_step.id, id)
    const [present, former] = [new Map<number, number>(), new Map<number, number>()]
    for await (const { type, stream, data } of service.background.stores.log.readAll({ after: -1 })) {
      if (type !== EVENT || parseStream(stream).name !== 'visits/placement' || data.split_id !== of.split.id) continue
      const counts = steps.has(Number(data.show_page_step_id)) ? present : former
      counts.set(Number(data.page_id), (counts.get(Number(data.page_id)) ?? 0) + 1)
    }
    const told = `seed ${r.seed}`
    expect(
      shown.variants.map(({ page_ids, entries }) => [page_ids, entries]),
      told,
    ).to.deep.equal(variants.map((id) => [[id], present.get(id) ?? 0]))
    expect(new Map(shown.former_pages.map(({ page_id, entries }) => [page_id, entries])), told).to.deep.equal(former)
    expect([...present.values(), ...former.values()].length, told).to.be.above(0)
  })
})
