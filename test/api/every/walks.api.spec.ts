import { expect } from 'chai'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { type Tenant, testService } from '../../support/service.ts'

const RECORDS = 45
const CHANGES = 8

/** A list, and the ways in which its records change. */
interface Walked {
  readonly name: string
  readonly sorts: readonly string[]
  /** Path of the list, with its query. */
  path(): string
  create(n: number): Promise<number>
  touch(id: number, n: number): Promise<unknown>
  /** Puts a record at another place in the display order. */
  move?(id: number, place: number): Promise<unknown>
  remove(id: number): Promise<unknown>
}

describe('walking a list while it changes', () => {
  let tenant: Tenant
  let pipelineId = 0
  let filterId = 0
  let funnelId = 0
  let stepId = 0
  let numbers: Random
  before(async () => {
    numbers = random(seedOfRun())
    tenant = await (await testService()).tenant()
    const pipeline = { name: 'Walked', stages_attributes: [{ name: 'First', close_probability: 1 }] }
    pipelineId = (await tenant.api.post(`${workspace()}/sales/pipelines`, { sales_pipeline: pipeline })).body.id
    const criteria = [{ attribute: 'first_name', clause: 'sw', value: 'Walk' }]
    filterId = (await tenant.api.post(`${workspace()}/refine_filters`, { refine_filter: { name: 'W', criteria } })).body
      .id
    const funnel = async (name: string) =>
      (await tenant.api.post(`${workspace()}/funnels`, { funnel: { name } })).body.id as number
    funnelId = await funnel('Walked')
    const page = { name: 'Elsewhere', funnel: { funnel_id: await funnel('Other') } }
    stepId = (await tenant.api.post(`${workspace()}/pages`, { page })).body.show_page_step.id
  })
  const workspace = () => `/workspaces/${tenant.workspaceId}`
  const idOf = async (made: Promise<{ readonly status: number; readonly body: { readonly id: number } }>) => {
    const { status, body } = await made
    expect(status).to.equal(201)
    return body.id
  }

  const tags: Walked = {
    name: 'tags',
    sorts: ['updated_at'],
    path: () => `${workspace()}/contacts/tags?`,
    create: (n) => idOf(tenant.api.post(`${workspace()}/contacts/tags`, { contacts_tag: { name: `Tag ${n}` } })),
    touch: (id, n) =>
      tenant.api.put(`/contacts/tags/${id}`, { contacts_tag: { color: `#${String(n).padStart(6, '0')}` } }),
    remove: (id) => tenant.api.delete(`/contacts/tags/${id}`),
  }
  const stages: Walked = {
    name: 'stages',
    sorts: ['sort_order', 'updated_at'],
    path: () => `/sales/pipelines/${pipelineId}/stages?`,
    create: (n) => {
      const stage = { name: `Stage ${n}`, close_probability: 1 }
      return idOf(tenant.api.post(`/sales/pipelines/${pipelineId}/stages`, { sales_pipelines_stage: stage }))
    },
    touch: (id, n) => tenant.api.put(`/sales/pipelines/stages/${id}`, { sales_pipelines_stage: { name: `Now ${n}` } }),
    move: (id, sort_order) =>
      tenant.api.put(`/sales/pipelines/stages/${id}`, { sales_pipelines_stage: { sort_order } }),
    remove: (id) => tenant.api.delete(`/sales/pipelines/stages/${id}`),
  }
  const filtered: Walked = {
    name: 'contacts that meet a filter',
    sorts: ['updated_at'],
    path: () => `${workspace()}/contacts?stored_filter_id=${filterId}&`,
    create: (n) => {
      const contact = { first_name: 'Walker', email_address: `walker-${n}@example.com` }
      return idOf(tenant.api.post(`${workspace()}/contacts`, { contact }))
    },
    touch: (id, n) => tenant.api.put(`/contacts/${id}`, { contact: { last_name: `Now ${n}` } }),
    remove: (id) => tenant.api.delete(`/contacts/${id}`),
  }

  const pages: Walked = {
    name: 'pages',
    sorts: ['updated_at'],
    path: () => `${workspace()}/pages?`,
    create: (n) =>
      idOf(tenant.api.post(`${workspace()}/pages`, { page: { name: `Page ${n}`, funnel: { funnel_id: funnelId } } })),
    touch: (id, n) => tenant.api.put(`/pages/${id}`, { page: { description: `Now ${n}` } }),
    // Its place within the funnel, or onto the step of another one, which the page that was there leaves.
    move: (id, place) => {
      const page = place % 3 === 0 ? { funnel: { show_page_step_id: stepId } } : { sort_order: place % 20 }
      return tenant.api.put(`/pages/${id}`, { page })
    },
    remove: (id) => tenant.api.delete(`/pages/${id}`),
  }

  /** Reads all pages by their links. @param between called after each page */
  const walk = async (path: string, between: () => Promise<unknown> = async () => {}): Promise<number[]> => {
    const seen: number[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const page = await tenant.api.get(next)
      expect(page.status).to.equal(200)
      seen.push(...page.body.map(({ id }: { id: number }) => id))
      const link: string | undefined = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      next = link?.slice(link.indexOf('/api/v2') + '/api/v2'.length)
      if (next !== undefined) await between()
    }
    return seen
  }

  let made = 0
  const changeOnce = async (list: Walked, present: number[]): Promise<void> => {
    const id = numbers.pick(present)
    const what = numbers.pick(
      list.move ? ['create', 'touch', 'move', 'move', 'remove'] : ['create', 'touch', 'touch', 'remove'],
    )
    if (what === 'create') present.push(await list.create(++made))
    else if (what === 'touch') await list.touch(id, ++made)
    else if (what === 'move') await list.move?.(id, numbers.below(present.length))
    else {
      await list.remove(id)
      present.splice(present.indexOf(id), 1)
    }
  }

  for (const list of [tags, stages, filtered, pages])
    for (const sort of ['id', ...list.sorts])
      for (const order of ['asc', 'desc'])
        it(`meets each of the ${list.name} that is there all the time once, by ${sort}, ${order}`, async () => {
          const path = `${list.path()}sort_property=${sort}&sort_order=${order}`
          while ((await walk(path)).length < RECORDS) await list.create(++made)
          const before = await walk(path)
          // A position in the log at which no places are known yet.
          await tenant.api.post(`${workspace()}/contacts`, { contact: { first_name: 'Other' } })
          const present = [...before]
          const met = await walk(path, async () => {
            for (let n = 0; n < CHANGES; n++) await changeOnce(list, present)
          })
          expect(new Set(met).size, 'none is met twice').to.equal(met.length)
          const always = new Set(before.filter((id) => present.includes(id)))
          expect(met.filter((id) => always.has(id))).to.deep.equal(before.filter((id) => always.has(id)))
        }).timeout(60_000)

  describe('a cursor', () => {
    const refusalOf = async (path: string): Promise<unknown> => {
      const { status, body } = await tenant.api.get(path)
      return [status, body.details?.[0].field]
    }

    it('may be the id of a record that is gone, which counts where it last stood', async () => {
      const path = `${workspace()}/contacts/tags?sort_property=`
      const byTime = await walk(`${path}updated_at`)
      const gone = byTime[10]!
      await tags.remove(gone)
      expect(await walk(`${path}updated_at&after=${gone}`)).to.deep.equal(byTime.slice(11))
      expect(await walk(`${path}updated_at&sort_order=desc&after=${gone}`)).to.deep.equal(byTime.slice(0, 10).reverse())
      const byId = byTime.filter((id) => id > gone).sort((a, b) => a - b)
      expect(await walk(`${path}id&after=${gone}`)).to.deep.equal(byId)
    })

    it('may be the id of a record in either form, and 0 for the beginning', async () => {
      const path = `${workspace()}/contacts/tags?sort_property=updated_at`
      const all = await walk(path)
      const { public_id } = (await tenant.api.get(`/contacts/tags/${all[5]}`)).body
      expect(await walk(`${path}&after=${all[5]}`)).to.deep.equal(all.slice(6))
      expect(await walk(`${path}&after=${public_id}`)).to.deep.equal(all.slice(6))
      expect(await walk(`${path}&after=0`)).to.deep.equal(all)
    })

    it('of a filter that is gone continues the list that is paged on request', async () => {
      const other = await (await testService()).tenant()
      const filters = `/workspaces/${other.workspaceId}/refine_filters`
      const ids: number[] = []
      for (let n = 0; n < 3; n++) {
        const criteria = [{ attribute: 'anonymous', clause: 'eq', value: 'true' }]
        ids.push((await other.api.post(filters, { refine_filter: { name: `F${n}`, criteria } })).body.id)
      }
      await other.api.delete(`/refine_filters/${ids[0]}`)
      const behind = async (id: number) =>
        (await other.api.get(`${filters}?after=${id}`)).body.refine_filters.map((one: { id: number }) => one.id)
      expect(await behind(ids[0]!)).to.deep.equal(ids.slice(1))
      expect(await behind(ids[2]! + 1000)).to.deep.equal([])
    })

    it('that names no record of the list is refused, also for a record of another workspace', async () => {
      const other = await (await testService()).tenant()
      const foreign = await other.api.post(`/workspaces/${other.workspaceId}/contacts/tags`, {
        contacts_tag: { name: 'Foreign' },
      })
      const path = `${workspace()}/contacts/tags?sort_property=updated_at&after=`
      const refused = [400, 'after']
      expect(await refusalOf(`${path}${foreign.body.id}`)).to.deep.equal(refused)
      expect(await refusalOf(`${path}999999999`)).to.deep.equal(refused)
      const message = (await tenant.api.get(`${path}${foreign.body.id}`)).body.error
      expect((await tenant.api.get(`${path}999999999`)).body.error, 'it looks like a missing one').to.equal(message)
    })

    it('that is none, or of another order, is refused, naming after', async () => {
      const stagesPath = `/sales/pipelines/${pipelineId}/stages?sort_property=`
      const cursor = (await tenant.api.get(`${stagesPath}sort_order`)).headers.get('pagination-next')!
      const of = (state: unknown) => `7.${Buffer.from(JSON.stringify(state)).toString('base64url')}`
      const odd = [
        ...['x!', '7.', '.7', '7.x', '7.!', 'null', '-1', '1e3', `${cursor}x.y`, cursor.slice(0, -3), '9'.repeat(17)],
        ...[null, 7, {}, [], ['sort_order'], ['sort_order', []], ['sort_order', {}], ['sort_order', 1, 'x']].map(of),
        ...[
          ['sort_order', 1, 'x', 5],
          ['sort_order', 1, 7, 5],
          ['sort_order', '\0'],
          ['sort_order', '\ud800'],
        ].map(of),
        of(['sort_order', 'x'.repeat(2000)]),
        `7.${'A'.repeat(5000)}`,
      ]
      for (const after of odd)
        expect(await refusalOf(`${stagesPath}sort_order&after=${after}`), after.slice(0, 50)).to.deep.equal([
          400,
          'after',
        ])
      for (const sort of ['id', 'updated_at'])
        expect(await refusalOf(`${stagesPath}${sort}&after=${cursor}`), sort).to.deep.equal([400, 'after'])
      for (const state of [
        ['sort_order', 'text'],
        ['sort_order', null],
        ['sort_order', true],
        ['sort_order', -1e308],
      ])
        expect(await refusalOf(`${stagesPath}sort_order&after=${of(state)}`)).to.deep.equal([200, undefined])
    })

    it('is short, and does not tell how much happens elsewhere', async () => {
      const path = `${workspace()}/contacts/tags?sort_property=updated_at`
      const cursor = (await tenant.api.get(path)).headers.get('pagination-next')!
      expect(cursor.length).to.be.at.most(150)
      const { background } = await testService()
      const position = await background.stores.log.lastPosition()
      const text = Buffer.from(cursor.split('.')[1]!, 'base64url').toString()
      expect(JSON.parse(text)).to.have.length(4)
      expect(text).not.to.include(String(position))
    })
  })
})
