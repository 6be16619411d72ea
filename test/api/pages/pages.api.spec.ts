import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'
import { builder, createdBody, outline, uniqueUrl } from '../../support/traffic/funnels.ts'

describe('pages', () => {
  let tenant: Tenant
  let build: ReturnType<typeof builder>
  before(async () => {
    tenant = await (await testService()).tenant()
    build = builder(tenant)
  })
  const outlineOf = async (funnel: number) => outline(await build.steps(funnel))

  it('stand alone, at a path of their own', async () => {
    const page = await build.page({ name: 'Terms', current_path: 'terms', seo_title: 'T', description: 'D' })
    expect(page).to.include({
      type: 'landing_page',
      current_path: '/terms',
      external: false,
      sdk: null,
      funnel: null,
      show_page_step: null,
    })
    expect(page.url).to.match(/^http:\/\/tenant-\w+\.localhost\/terms$/)
    expect((await build.page()).current_path).to.match(/^\/[a-z0-9]{8}$/)
  })

  it('are placed in the request that makes them, and read back at once', async () => {
    const funnel = await build.funnel('Spring')
    const last = await build.page({ name: 'Last', funnel: { funnel_id: funnel.public_id } })
    expect(last).to.deep.include({
      type: 'funnel_page',
      funnel: { id: funnel.id, public_id: funnel.public_id, name: 'Spring' },
    })
    expect(last.show_page_step).to.deep.include({ name: 'Last', current_path: '/last', sort_order: 0, products: [] })
    expect(last.url).to.match(/\/spring\/last$/)
    const first = await build.page({
      name: 'First',
      sort_order: 0,
      funnel: { funnel_id: funnel.id },
      current_path: '/hello',
    })
    expect(first.show_page_step).to.include({ current_path: '/hello', sort_order: 0 })
    expect(first.current_path).to.match(/^\/hello-[a-z0-9]{8}$/)
    const after = first.show_page_step.public_id
    await build.external({ name: 'Middle', funnel: { funnel_id: funnel.public_id, after_show_page_step_id: after } })
    expect(await outlineOf(funnel.id)).to.deep.equal(['First', 'Middle', 'Last'])
  })

  it('replace the page of a step, and leave the former page without one', async () => {
    const funnel = await build.funnel()
    const former = await build.page({ name: 'Former', funnel: { funnel_id: funnel.id } })
    await build.page({ name: 'Next', funnel: { funnel_id: funnel.id } })
    const page = await build.external({
      name: 'New',
      sort_order: 9,
      funnel: { show_page_step_id: former.show_page_step.public_id },
    })
    expect(page.show_page_step).to.include({ id: former.show_page_step.id, sort_order: 0, current_path: null })
    expect(await outlineOf(funnel.id)).to.deep.equal(['New', 'Next'])
    const orphan = (await tenant.api.get(`/pages/${former.id}`)).body
    expect(orphan).to.include({ type: 'landing_page', show_page_step: null, funnel: null })
    const back = { page: { funnel: { show_page_step_id: page.show_page_step.id }, sort_order: 1 } }
    expect(createdBody(await tenant.api.put(`/pages/${former.id}`, back)).show_page_step.current_path).to.match(
      /^\/former/,
    )
    expect(await outlineOf(funnel.id)).to.deep.equal(['Former', 'Next'])
  })

  it('move from one funnel to another', async () => {
    const [from, to] = [await build.funnel('From'), await build.funnel('To')]
    const page = await build.page({ name: 'Traveller', funnel: { funnel_id: from.id } })
    await build.page({ name: 'Stays', funnel: { funnel_id: from.id } })
    const target = await build.page({ name: 'Target', funnel: { funnel_id: to.id } })
    const moved = createdBody(
      await tenant.api.put(`/pages/${page.id}`, { page: { funnel: { show_page_step_id: target.show_page_step.id } } }),
    )
    expect(moved.funnel.id).to.equal(to.id)
    expect([await outlineOf(from.id), await outlineOf(to.id)]).to.deep.equal([['Stays'], ['Traveller']])
  })

  it('change their place and their name in one request, or neither', async () => {
    const funnel = await build.funnel()
    const page = await build.page({ name: 'One', funnel: { funnel_id: funnel.id } })
    await build.page({ name: 'Two', funnel: { funnel_id: funnel.id } })
    const changed = await tenant.api.put(`/pages/${page.id}`, { page: { name: 'Uno', sort_order: 1 } })
    expect(changed.body).to.include({ name: 'Uno' })
    expect(await outlineOf(funnel.id)).to.deep.equal(['Two', 'Uno'])
    const refused = await tenant.api.put(`/pages/${page.id}`, { page: { name: 'Ein', sort_order: 2 } })
    expect(refused.status).to.equal(422)
    expect((await tenant.api.get(`/pages/${page.id}`)).body.name).to.equal('Uno')
  })

  it('are not created when their place or their products do not exist', async () => {
    const funnel = await build.funnel()
    const list = `/workspaces/${tenant.workspaceId}/pages?sort_order=desc`
    const newest = async () => (await tenant.api.get(list)).body[0]?.id
    const before = await newest()
    for (const fields of [
      { sort_order: 1, funnel: { funnel_id: funnel.id } },
      { funnel: { funnel_id: funnel.id }, show_page_step: { product_ids: [1] } },
      { funnel: { funnel_id: funnel.id, after_show_page_step_id: 12 } },
    ]) {
      const { status } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/pages`, {
        page: { name: 'X', ...fields },
      })
      expect(status).to.be.oneOf([400, 422])
    }
    expect(await newest()).to.equal(before)
    expect(await build.steps(funnel.id)).to.deep.equal([])
  })

  it('are deleted together with their step', async () => {
    const funnel = await build.funnel()
    const page = await build.external({ name: 'Gone', funnel: { funnel_id: funnel.id } })
    await build.page({ name: 'Stays', funnel: { funnel_id: funnel.id } })
    await tenant.api.put(`/workspaces/${tenant.workspaceId}/site`, { site: { homepage_id: page.public_id } })
    expect((await tenant.api.delete(`/pages/${page.id}`)).status).to.equal(204)
    expect(await outlineOf(funnel.id)).to.deep.equal(['Stays'])
    expect((await tenant.api.get(`/pages/${page.id}`)).status).to.equal(404)
    expect((await tenant.api.get(`/workspaces/${tenant.workspaceId}/site`)).body.homepage_id).to.equal(null)
    expect((await build.external({ external_url: page.external_url })).sdk.token).not.to.equal(page.sdk.token)
  })

  it('that are external keep one token for life', async () => {
    const page = await build.external({ external_url: 'https://Example.com' })
    expect(page).to.include({ name: 'example.com', current_path: null, url: 'https://example.com/', type: null })
    expect(page.sdk.token).to.match(/^cfp_[A-Za-z0-9]{24}$/)
    const change = async (fields: object) =>
      createdBody(await tenant.api.call('PATCH', `/pages/${page.id}`, { page: fields }))
    const moved = await change({ external_url: 'https://other.example/a?'.slice(0, -1), name: 'Moved' })
    expect(moved.sdk).to.deep.equal({ token: page.sdk.token, external_url: 'https://other.example/a' })
    expect((await change({ external_url: 'https://example.com/' })).sdk.token).to.equal(page.sdk.token)
    const tokens = await Promise.all(Array.from({ length: 20 }, async () => (await build.external()).sdk.token))
    expect(new Set(tokens).size).to.equal(20)
  })

  it('claim an address for one page, also in concurrent requests', async () => {
    const url = uniqueUrl()
    const ask = () =>
      tenant.api.post(`/workspaces/${tenant.workspaceId}/pages/external`, { page: { external_url: url } })
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1)
    expect(answers.filter(({ status }) => status === 422)).to.have.length(7)
    const elsewhere = await (await testService()).tenant()
    expect((await builder(elsewhere).external({ external_url: url })).external_url).to.equal(url)
  })

  it('are on one step at a time, also in concurrent requests', async () => {
    const funnels = await Promise.all(Array.from({ length: 4 }, () => build.funnel()))
    const page = await build.page({ name: 'Wanted' })
    const answers = await Promise.all(
      funnels.map(({ id }) =>
        tenant.api.post(`/funnels/${id}/conditional_split_steps`, {
          conditional_split_step: { branches: [{ page_id: page.id }] },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 422, 422, 422])
    for (const { body } of answers.filter(({ status }) => status === 422)) {
      expect(body.error).to.include('is already used by another funnel step')
    }
  })

  it('are found by their funnel and by whether they have one', async () => {
    const mine = await (await testService()).tenant()
    const make = builder(mine)
    const funnel = await make.funnel()
    const on = await make.page({ name: 'On', funnel: { funnel_id: funnel.id } })
    const off = await make.page({ name: 'Off' })
    const ids = async (query: string) =>
      (await mine.api.get(`/workspaces/${mine.workspaceId}/pages?${query}`)).body.map(({ id }: { id: number }) => id)
    expect(await ids(`filter[funnel_ids]=${funnel.public_id}`)).to.deep.equal([on.id])
    expect(await ids('filter[funnel_pages]=true')).to.deep.equal([on.id])
    expect(await ids('filter[funnel_pages]=false')).to.deep.equal([off.id])
    const split = await make.conditional(funnel.id, { branches: [{ page_id: off.id }] })
    expect(await ids('filter[funnel_pages]=true')).to.deep.equal([on.id, off.id])
    await mine.api.delete(`/funnels/${funnel.id}/conditional_split_steps/${split.id}`)
    expect(await ids('filter[funnel_pages]=false')).to.deep.equal([off.id])
  })

  it('show code and markup when asked for them', async () => {
    const markup = '<section><row><column><headline>Hi</headline></column></row></section>'
    const page = await build.page({ head_code: '<a>', custom_css: 'a{}', markup })
    expect(page).not.to.have.any.keys('head_code', 'markup')
    const read = `/pages/${page.id}?expand[]=head_code&expand[]=markup&expand[]=custom_css&expand[]=footer_code`
    expect((await tenant.api.get(read)).body).to.include({
      head_code: '<a>',
      custom_css: 'a{}',
      footer_code: null,
      markup,
    })
    const change = { page: { head_code: '<b>', custom_css: 'b{}', custom_css_mode: 'replace' } }
    await tenant.api.put(`/pages/${page.id}`, change)
    expect((await tenant.api.get(read)).body).to.include({ head_code: '<a>\n<b>', custom_css: 'b{}' })
  })

  it('are created once with an idempotency key, together with their step', async () => {
    const funnel = await build.funnel()
    const headers = { 'idempotency-key': `page-${funnel.id}` }
    const body = { page: { name: 'Once', funnel: { funnel_id: funnel.id } } }
    const ask = () => tenant.api.post(`/workspaces/${tenant.workspaceId}/pages`, body, { headers })
    const first = createdBody(await ask())
    const again = await ask()
    expect(again.headers.get('idempotency-replayed')).to.equal('true')
    expect(again.body).to.deep.equal(first)
    expect(await outlineOf(funnel.id)).to.deep.equal(['Once'])
  })

  it('respect If-Match although only their place changes', async () => {
    const funnel = await build.funnel()
    const page = await build.page({ name: 'One', funnel: { funnel_id: funnel.id } })
    await build.page({ name: 'Two', funnel: { funnel_id: funnel.id } })
    const etag = (await tenant.api.get(`/pages/${page.id}`)).headers.get('etag')!
    await tenant.api.put(`/pages/${page.id}`, { page: { name: 'Uno' } })
    const move = (match: string) =>
      tenant.api.put(`/pages/${page.id}`, { page: { sort_order: 1 } }, { headers: { 'if-match': match } })
    expect((await move(etag)).status).to.equal(412)
    expect(await outlineOf(funnel.id)).to.deep.equal(['Uno', 'Two'])
    expect((await move((await tenant.api.get(`/pages/${page.id}`)).headers.get('etag')!)).status).to.equal(200)
  })

  it('count as changed when their place or their products do, and only then', async () => {
    const funnel = await build.funnel()
    const on = { funnel: { funnel_id: funnel.id } }
    const [one, two, alone] = [await build.page(on), await build.page(on), await build.page()]
    const { body: product } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/products`, {
      product: { name: 'Shirt' },
    })
    const seen = new Map<number, string>()
    const changed = async (): Promise<number[]> => {
      await (await testService()).caughtUp()
      const ids: number[] = []
      for (const { id } of [one, two, alone]) {
        const { updated_at } = (await tenant.api.get(`/pages/${id}`)).body
        if (seen.has(id) && updated_at > seen.get(id)!) ids.push(id)
        else if (seen.has(id)) expect(updated_at).to.equal(seen.get(id))
        seen.set(id, updated_at)
      }
      await new Promise((go) => setTimeout(go, 2))
      return ids
    }
    const put = (id: number, page: object) => tenant.api.put(`/pages/${id}`, { page })
    const products = { show_page_step: { product_ids: [product.id] } }
    const splitPath = `/funnels/${funnel.id}/split_test_steps`
    let split = 0
    const steps: readonly (readonly [what: string, act: () => Promise<unknown>, changes: readonly number[]])[] = [
      ['nothing', async () => undefined, []],
      ['a new position', () => put(one.id, { sort_order: 1 }), [one.id]],
      ['the same position', () => put(one.id, { sort_order: 1 }), []],
      ['products', () => put(one.id, products), [one.id]],
      ['the same products', () => put(one.id, products), []],
      ['no products', () => tenant.api.delete(`/pages/${one.id}/products?product_ids=${product.id}`), [one.id]],
      [
        'a split',
        async () => {
          split = (await build.test(funnel.id, { variants: [{ page_id: two.id }, { page_id: alone.id }] })).id
        },
        [two.id, alone.id],
      ],
      ['the end of the split', () => tenant.api.delete(`${splitPath}/${split}?branch=right`), [two.id, alone.id]],
      ['a swap', () => put(alone.id, { funnel: { show_page_step_id: one.show_page_step.id } }), [one.id, alone.id]],
    ]
    await changed()
    for (const [what, act, changes] of steps) {
      await act()
      expect(await changed(), what).to.deep.equal(changes)
    }
    const list = await tenant.api.get(
      `/workspaces/${tenant.workspaceId}/pages?sort_property=updated_at&sort_order=desc`,
    )
    expect(list.body.slice(0, 2).map(({ id }: { id: number }) => id)).to.have.members([one.id, alone.id])
  })

  it('are shown as they were', async () => {
    const funnel = await build.funnel()
    const page = await build.page({ name: 'Before', funnel: { funnel_id: funnel.id } })
    const at = new Date().toISOString()
    await new Promise((go) => setTimeout(go, 5))
    await tenant.api.put(`/pages/${page.id}`, { page: { name: 'After' } })
    const next = await build.page({ funnel: { show_page_step_id: page.show_page_step.id } })
    expect(next.show_page_step.id).to.equal(page.show_page_step.id)
    const past = (await tenant.api.get(`/pages/${page.id}?as_of=${at}`)).body
    expect(past).to.include({ name: 'Before', type: 'funnel_page' })
    expect(past.show_page_step.id).to.equal(page.show_page_step.id)
  })
})
