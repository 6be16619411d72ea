import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'
import { builder, createdBody, outline } from '../../support/traffic/funnels.ts'

describe('funnels', () => {
  let tenant: Tenant
  let build: ReturnType<typeof builder>
  before(async () => {
    tenant = await (await testService()).tenant()
    build = builder(tenant)
  })
  const outlineOf = async (funnel: number) => outline(await build.steps(funnel))
  const onFunnel = (funnel: number, name: string) => build.page({ name, funnel: { funnel_id: funnel } })

  it('begin in test mode, under a path of their own, with tags', async () => {
    const tags = `/workspaces/${tenant.workspaceId}/funnels/tags`
    const tag = createdBody(await tenant.api.post(tags, { funnels_tag: { name: 'Spring' } }))
    const body = { funnel: { name: 'Summer Sale', tag_ids: [tag.id] } }
    const funnel = createdBody(await tenant.api.post(`/workspaces/${tenant.workspaceId}/funnels`, body))
    expect(funnel).to.include({ live_mode: false, archived: false, current_path: '/summer-sale', domain_id: null })
    expect(funnel.tags).to.deep.equal([{ id: tag.id, public_id: tag.public_id, name: 'Spring', color: tag.color }])
    expect((await build.funnel('Summer Sale')).current_path).to.match(/^\/summer-sale-[a-z0-9]{6}$/)
    await tenant.api.delete(`/funnels/tags/${tag.id}`)
    expect((await tenant.api.get(`/funnels/${funnel.id}`)).body.tags).to.deep.equal([])
  })

  it('go live, take a domain, and carry code', async () => {
    const funnel = await build.funnel()
    const [domain] = (await tenant.api.get(`/workspaces/${tenant.workspaceId}/domains`)).body
    const change = async (fields: object) =>
      createdBody(await tenant.api.put(`/funnels/${funnel.id}?expand[]=head_code`, { funnel: fields }))
    expect(await change({ live_mode: true, domain_id: domain.public_id, head_code: '<a>' })).to.include({
      live_mode: true,
      domain_id: domain.id,
      head_code: '<a>',
    })
    expect(await change({ head_code: '<b>', domain_id: null })).to.include({ head_code: '<a>\n<b>', domain_id: null })
    expect(await change({ head_code: '<c>', head_code_mode: 'replace' })).to.include({ head_code: '<c>' })
    expect(await change({ head_code: null })).to.include({ head_code: null })
  })

  it('refuse null for fields that cannot be cleared, although left out fields have defaults', async () => {
    const funnels = `/workspaces/${tenant.workspaceId}/funnels`
    for (const [field, message] of [
      ['live_mode', "Live mode can't be blank"],
      ['tag_ids', "Tag ids can't be blank"],
    ] as const) {
      const { status, body } = await tenant.api.post(funnels, { funnel: { name: 'Blank', [field]: null } })
      expect(status, JSON.stringify(body)).to.equal(422)
      expect(JSON.stringify(body)).to.include(message)
    }
  })

  it('return exactly the nodes of the contract', async () => {
    const funnel = await build.funnel('Exact')
    const [one, two, three] = [
      await onFunnel(funnel.id, 'One'),
      await onFunnel(funnel.id, 'Two'),
      await onFunnel(funnel.id, 'Three'),
    ]
    const external = await build.external({ name: 'Far' })
    const test = await build.test(funnel.id, {
      show_page_step_id: two.show_page_step.id,
      variants: [
        { page_id: two.id, weight: 70 },
        { page_id: external.public_id, weight: 30 },
      ],
    })
    const { body } = await tenant.api.get(`/funnels/${funnel.id}/structure`)
    const [first, split, last] = body.steps
    const pageOf = (
      { id, public_id, name, url }: { id: number; public_id: string; name: string; url: string },
      token: string | null,
    ) => ({
      id,
      public_id,
      name,
      url,
      external: token !== null,
      sdk_token: token,
    })
    const nodeOf = (page: typeof one, node: typeof first, token: string | null = null) => ({
      id: node.id,
      public_id: node.public_id,
      step_type: 'show_page_step',
      name: page.name,
      sort_order: 0,
      show_page_step_id: node.show_page_step_id,
      page: pageOf(page, token),
    })
    expect(body.funnel).to.deep.equal({ id: funnel.id, public_id: funnel.public_id, name: 'Exact' })
    expect(first).to.deep.equal({ ...nodeOf(one, first), show_page_step_id: one.show_page_step.public_id })
    expect(last).to.deep.equal(nodeOf(three, last))
    const [left, right] = split.variants.map(({ steps }: { steps: (typeof first)[] }) => steps[0])
    expect(split).to.deep.equal({
      id: test.id,
      public_id: test.public_id,
      step_type: 'split_test_step',
      name: 'Split test',
      sort_order: 1,
      convergence_step_id: last.id,
      variants: [
        { weight: 70, steps: [nodeOf(two, left)] },
        { weight: 30, steps: [nodeOf(external, right, external.sdk.token)] },
      ],
    })
    expect(first.public_id).not.to.equal(first.show_page_step_id)
  })

  it('split in place, at the entry, behind a step, inside a branch', async () => {
    const funnel = await build.funnel()
    const [one, two] = [await onFunnel(funnel.id, 'One'), await onFunnel(funnel.id, 'Two')]
    const fresh = async (name: string) => (await build.page({ name })).id
    await build.test(funnel.id, {
      show_page_step_id: two.show_page_step.id,
      variants: [{ page_id: two.id }, { page_id: await fresh('Alt') }],
    })
    expect(await outlineOf(funnel.id)).to.deep.equal(['One', [['Two'], ['Alt']]])
    await build.conditional(funnel.id, { branches: [{ page_ids: [await fresh('A'), await fresh('B')] }, {}] })
    expect(await outlineOf(funnel.id)).to.deep.equal([[['A', 'B'], []], 'One', [['Two'], ['Alt']]])
    await build.conditional(funnel.id, {
      show_page_step_id: one.show_page_step.public_id,
      branches: [{}, { page_id: await fresh('C') }],
    })
    expect(await outlineOf(funnel.id)).to.deep.equal([[['A', 'B'], []], 'One', [[], ['C']], [['Two'], ['Alt']]])
    const [entry] = await build.steps(funnel.id)
    const inner = entry!.branches![0]!.steps[0]!
    await build.test(funnel.id, { show_page_step_id: inner.show_page_step_id, variants: [{ page_id: inner.page!.id }] })
    await build.page({
      name: 'D',
      funnel: { funnel_id: funnel.public_id, after_show_page_step_id: inner.show_page_step_id },
    })
    expect(await outlineOf(funnel.id)).to.deep.equal([
      [[[['A', 'D'], []], 'B'], []],
      'One',
      [[], ['C']],
      [['Two'], ['Alt']],
    ])
    const [split, next] = await build.steps(funnel.id)
    const [nested, behind] = split!.branches![0]!.steps
    expect([nested!.convergence_step_id, split!.convergence_step_id]).to.deep.equal([behind!.id, next!.id])
  })

  it('remove a split with one dropped branch, or both', async () => {
    for (const [kind, branch, left] of [
      ['conditional', 'matched', ['U']],
      ['conditional', 'unmatched', ['M', 'N']],
      ['conditional', undefined, []],
      ['test', 'left', ['U']],
      ['test', 'right', ['M', 'N']],
      ['test', 'both', []],
    ] as const) {
      const funnel = await build.funnel()
      await onFunnel(funnel.id, 'First')
      const m = await onFunnel(funnel.id, 'M')
      const [n, u] = [await build.page({ name: 'N' }), await build.page({ name: 'U' })]
      if (kind === 'conditional') await tenant.api.delete(`/pages/${m.id}`)
      const matched = kind === 'conditional' ? await build.page({ name: 'M' }) : m
      const split =
        kind === 'conditional'
          ? await build.conditional(funnel.id, { branches: [{ page_ids: [matched.id, n.id] }, { page_id: u.id }] })
          : await build.test(funnel.id, { variants: [{ page_id: m.id }, { page_id: u.id }] })
      if (kind === 'test') {
        const after = { funnel_id: funnel.id, after_show_page_step_id: m.show_page_step.id }
        await build.page({ name: 'N', funnel: after })
      }
      const path = `/funnels/${funnel.id}/${kind === 'test' ? 'split_test' : 'conditional_split'}_steps/${split.id}`
      expect((await tenant.api.delete(branch ? `${path}?branch=${branch}` : path)).status).to.equal(204)
      expect(await outlineOf(funnel.id), `${kind} ${branch}`).to.deep.equal([...left, 'First'])
      expect((await tenant.api.get(path)).status).to.equal(404)
      expect((await tenant.api.get(`/pages/${u.id}`)).status, 'pages stay in the workspace').to.equal(200)
    }
  })

  it('list and show their splits, with the filter of a condition', async () => {
    const funnel = await build.funnel()
    const page = await onFunnel(funnel.id, 'One')
    const filters = `/workspaces/${tenant.workspaceId}/refine_filters`
    const criteria = [{ attribute: 'first_name', clause: 'sw', value: 'Ad' }]
    const filter = createdBody(await tenant.api.post(filters, { refine_filter: { name: 'Ads', criteria } }))
    const split = await build.conditional(funnel.id, { condition: { filter_id: filter.public_id }, branches: [{}, {}] })
    expect(split.condition).to.deep.equal({ filter_id: filter.public_id, is_setup: true, filter })
    const test = await build.test(funnel.id, { variants: [{ page_id: page.id }] })
    expect(test.variants[1]).to.deep.equal({ show_page_step: null, page: null, weight: 0 })
    const list = `/funnels/${funnel.id}/conditional_split_steps`
    expect((await tenant.api.get(list)).body.conditional_split_steps[0].condition).not.to.have.property('filter')
    expect(
      (await tenant.api.get(`${list}?expand[]=filter`)).body.conditional_split_steps[0].condition.filter,
    ).to.deep.equal(filter)
    expect((await tenant.api.get(`/funnels/${funnel.id}/split_test_steps`)).body.split_test_steps).to.deep.equal([test])
    await tenant.api.delete(`/refine_filters/${filter.id}`)
    const { condition } = (await tenant.api.get(`${list}/${split.id}`)).body
    expect(condition).to.deep.equal({ filter_id: null, is_setup: false })
    const other = await build.funnel()
    expect((await tenant.api.get(`/funnels/${other.id}/conditional_split_steps/${split.id}`)).status).to.equal(404)
    expect((await tenant.api.delete(`/funnels/${other.id}/conditional_split_steps/${split.id}`)).status).to.equal(404)
  })

  it('change their splits: swap, attach, append, weigh', async () => {
    const funnel = await build.funnel()
    const one = await onFunnel(funnel.id, 'One')
    const fresh = async (name: string) => (await build.page({ name })).id
    const test = await build.test(funnel.id, { variants: [{ page_id: one.id }] })
    const patch = async (path: string, body: object) =>
      createdBody(await tenant.api.call('PATCH', `/funnels/${funnel.id}/${path}`, body))
    const variants = [
      { page_id: await fresh('Uno'), weight: 25 },
      { page_id: await fresh('Alt'), weight: 75 },
    ]
    const changed = await patch(`split_test_steps/${test.id}`, { split_test_step: { variants } })
    expect(
      changed.variants.map(({ weight, page }: { weight: number; page: { name: string } }) => [page.name, weight]),
    ).to.deep.equal([
      ['Uno', 25],
      ['Alt', 75],
    ])
    expect((await tenant.api.get(`/pages/${one.id}`)).body.type).to.equal('landing_page')
    const split = await build.conditional(funnel.id)
    expect(split.condition).to.deep.equal({ filter_id: null, is_setup: false })
    const branches = [{ page_id: await fresh('M') }, { page_ids: [await fresh('U')] }]
    const filled = await patch(`conditional_split_steps/${split.id}`, { conditional_split_step: { branches } })
    const more = [{ page_ids: [await fresh('N')] }, { page_id: await fresh('V') }]
    const again = await patch(`conditional_split_steps/${split.id}`, { conditional_split_step: { branches: more } })
    expect(again.branches[1].show_page_step.id, 'the step stays').to.equal(filled.branches[1].show_page_step.id)
    expect(await outlineOf(funnel.id)).to.deep.equal([
      [['M', 'N'], ['V']],
      [['Uno'], ['Alt']],
    ])
  })

  it('are read as they were', async () => {
    const funnel = await build.funnel('Past')
    const one = await onFunnel(funnel.id, 'One')
    await onFunnel(funnel.id, 'Two')
    const before = await build.steps(funnel.id)
    const at = new Date().toISOString()
    await new Promise((go) => setTimeout(go, 5))
    await tenant.api.put(`/pages/${one.id}`, { page: { name: 'Uno', sort_order: 1 } })
    await build.conditional(funnel.id)
    await tenant.api.delete(`/pages/${one.id}`)
    expect(await outlineOf(funnel.id)).to.deep.equal([[[], []], 'Two'])
    expect((await tenant.api.get(`/funnels/${funnel.id}/structure?as_of=${at}`)).body.steps).to.deep.equal(before)
    expect((await tenant.api.get(`/funnels/${funnel.id}/structure?as_of=2020-01-01`)).status).to.equal(404)
  })
})
