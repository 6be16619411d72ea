import { expect } from 'chai'
import { pipelines } from '../../domain/sales/pipeline/rules.ts'
import { ok } from '../support/client.ts'
import { recordMakers } from '../support/records.ts'
import { type Tenant, testService } from '../support/service.ts'
import { shortly } from '../support/shortly.ts'

/** Pairs of requests that meet. */
const PAIRS = 15

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

describe('references to records that end, over REST', () => {
  let tenant: Tenant
  let workspace: string
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
  })

  const make = (kind: string) => recordMakers[kind]!.make(tenant)
  const get = async (path: string) => (await tenant.api.get(path)).body
  const post = async (path: string, body: object) => ok(await tenant.api.post(`${workspace}${path}`, body))

  /** Reads until what was read is as wanted. */
  const until = async <T>(read: () => Promise<T>, is: (value: T) => boolean): Promise<T> => {
    for (let tries = 0; tries < 1000; tries++) {
      const value = await read()
      if (is(value)) return value
      await new Promise((go) => setTimeout(go, 10))
    }
    throw new Error(`it did not come to be: ${JSON.stringify(await read())}`)
  }

  const stages = (...names: readonly string[]) => ({
    stages_attributes: names.map((name) => ({ name, close_probability: 50 })),
  })

  it('an opportunity that enters a stage while it is deleted is in a stage that exists', async () => {
    const contact = await make('contact')
    const fields = { name: 'O', primary_contact_id: contact }
    const raced = await Promise.all(
      Array.from({ length: PAIRS }, async () => {
        const { stages: both } = await post('/sales/pipelines', { sales_pipeline: { name: 'P', ...stages('A', 'B') } })
        const into = { sales_opportunity: { ...fields, pipelines_stage_id: both[1].id } }
        const [created, deleted] = await Promise.all([
          tenant.api.post(`${workspace}/sales/opportunities`, into),
          tenant.api.delete(`/sales/pipelines/stages/${both[1].id}`),
        ])
        return { id: created.body.id, both, isMoved: created.status === 201 && deleted.status === 204, created }
      }),
    )
    for (const { id, both, isMoved, created } of raced) {
      if (created.status !== 201) continue
      const path = `/sales/opportunities/${id}`
      const { pipelines_stage } = await until(
        () => get(path),
        (one) => !isMoved || one.pipelines_stage?.id === both[0].id,
      )
      expect((await tenant.api.get(`/sales/pipelines/stages/${pipelines_stage.id}`)).status).to.equal(200)
    }
  })

  it('an opportunity whose pipeline is deleted at the same moment goes to another pipeline', async () => {
    const contact = await make('contact')
    const pipeline = await post('/sales/pipelines', { sales_pipeline: { name: 'P', ...stages('A') } })
    const { engine } = (await testService()).background.core
    const opportunity = await post('/sales/opportunities', {
      sales_opportunity: { name: 'O', primary_contact_id: contact, pipelines_stage_id: pipeline.stages[0].id },
    })
    // As decided by documents that do not have the opportunity yet.
    const blind = { ...pipelines, facts: () => false }
    await engine.transact({
      ...{ aggregate: blind, id: pipeline.id, workspaceId: tenant.workspaceId, causationId: 't', correlationId: 't' },
      command: { type: 'remove', id: pipeline.id, wanted: {}, at: new Date().toISOString(), actor: { label: 'test' } },
    })
    const moved = await until(
      () => get(`/sales/opportunities/${opportunity.id}`),
      (one) => one.pipeline?.id !== undefined && one.pipeline.id !== pipeline.id,
    )
    expect((await tenant.api.get(`/sales/pipelines/${moved.pipeline.id}`)).body.stages[0].id).to.equal(
      moved.pipelines_stage.id,
    )
  })

  for (const [holder, tags, field] of [
    ['contact', 'contacts', 'contacts_applied_tag'],
    ['order', 'orders', 'orders_applied_tag'],
  ] as const)
    it(`a tag that is applied to a ${holder} while it is deleted is not applied in the end`, async () => {
      const id = await make(holder)
      const path = `/${tags}/${id}/applied_tags`
      await Promise.all(
        Array.from({ length: PAIRS }, async () => {
          const tag = await make(`${tags}/tag`)
          await Promise.all([
            tenant.api.post(path, { [field]: { tag_id: tag } }),
            tenant.api.delete(`/${tags}/tags/${tag}`),
          ])
        }),
      )
      await until(
        () => get(path),
        (applied) => applied.length === 0,
      )
      const { background } = await testService()
      const { live } = background.stores.readModels
      await until(
        async () => live.get(holder, id),
        (document) => isEmpty(document?.tag_ids),
      )
    })

  it('an action whose tag is deleted before it runs puts it on nobody, and says why', async () => {
    const people = [await make('contact'), await make('contact')]
    const [gone, kept] = [await make('contacts/tag'), await make('contacts/tag')]
    const action = await post('/contacts/tag_actions', {
      contacts_tag_action: { target_ids: people, tag_ids: [gone, kept], scheduled_for: shortly() },
    })
    expect((await tenant.api.delete(`/contacts/tags/${gone}`)).status).to.equal(204)
    const done = await until(
      () => get(`/contacts/tag_actions/${action.id}`),
      (one) => one.completed_at !== null,
    )
    expect(done).to.include({ performed_count: 2, failed_count: 2 })
    expect(done.failed_ids).to.deep.equal(people)
    expect(done.failure_reason).to.equal(`Tag ids no longer exist: ${gone}`)
    for (const id of people) expect(await get(`/contacts/${id}/applied_tags`)).to.deep.equal([])
  })

  it('a conditional split whose filter is deleted is not set up', async () => {
    const funnel = await make('funnel')
    const filter = await get(`/refine_filters/${await make('refine_filter')}`)
    const path = `/funnels/${funnel}/conditional_split_steps`
    const condition = { filter_id: filter.public_id }
    const split = ok(await tenant.api.post(path, { conditional_split_step: { condition } }))
    expect(split.condition).to.include({ is_setup: true })
    await tenant.api.delete(`/refine_filters/${filter.id}`)
    const { condition: shown } = await get(`${path}/${split.id}`)
    expect(shown).to.deep.equal({ filter_id: null, is_setup: false })
    const { live } = (await testService()).background.stores.readModels
    await until(
      async () => live.get('funnels/conditional_split_step', split.id),
      (document) => document?.filter_id === null,
    )
  })

  it('a deleted image, funnel tag or page is given up by all that refer to it', async () => {
    const [image, tag, page] = [await make('image'), await make('funnels/tag'), await make('page')]
    const product = await post('/products', { product: { name: 'P', image_ids: [image], seo_image_id: image } })
    const funnel = await post('/funnels', { funnel: { name: `F ${tag}`, tag_ids: [tag] } })
    await tenant.api.put(`${workspace}/site`, { site: { homepage_id: page } })
    for (const path of [`/images/${image}`, `/funnels/tags/${tag}`, `/pages/${page}`])
      expect((await tenant.api.delete(path)).status, path).to.be.oneOf([200, 204])
    const { live } = (await testService()).background.stores.readModels
    const read = async () => ({
      product: await live.get('product', product.id),
      funnel: await live.get('funnel', funnel.id),
      site: await live.get('site', tenant.workspaceId),
    })
    const { product: left } = await until(
      read,
      ({ product, funnel, site }) =>
        [product?.seo_image_id, site?.homepage_id].every((id) => id === null) && isEmpty(funnel?.tag_ids),
    )
    expect(left?.image_ids).to.deep.equal([])
  })
})
