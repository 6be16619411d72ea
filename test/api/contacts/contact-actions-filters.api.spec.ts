import { expect } from 'chai'
import { packState } from '../../../api/handlers/state-token.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { shortly } from '../../support/shortly.ts'
import { createdBody } from '../../support/traffic/funnels.ts'

describe('actions on the contacts that meet a filter', () => {
  let tenant: Tenant
  let workspace: string
  let tagId: number
  const people: Record<string, { id: number; public_id: string }> = {}
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
    tagId = await tag('Chosen')
    for (const name of ['Ada', 'Bob', 'Cleo', 'Dan']) people[name] = await contact(name)
  })

  const tag = async (name: string): Promise<number> =>
    createdBody(await tenant.api.post(`${workspace}/contacts/tags`, { contacts_tag: { name } })).id
  const contact = async (first_name: string) =>
    createdBody(
      await tenant.api.post(`${workspace}/contacts`, {
        contact: { first_name, email_address: `${first_name.toLowerCase()}@chosen.example` },
      }),
    )
  const named = (name: string) => [{ attribute: 'first_name', clause: 'eq', value: name }]
  const save = async (name: string, owner = tenant) =>
    createdBody(
      await owner.api.post(`/workspaces/${owner.workspaceId}/refine_filters`, {
        refine_filter: { criteria: named(name) },
      }),
    )
  const tokenOf = async (text: string): Promise<string> =>
    createdBody(await tenant.api.post(`${workspace}/contacts/filters`, { text })).stable_id
  const ask = async (fields: object, kind = 'tag_actions') =>
    tenant.api.post(`${workspace}/contacts/${kind}`, {
      [`contacts_${kind.slice(0, -1)}`]: { ...(kind === 'tag_actions' && { tag_ids: [tagId] }), ...fields },
    })

  const done = async (asked: Awaited<ReturnType<typeof ask>>, kind = 'tag_actions') => {
    const { id } = createdBody(asked)
    for (let tries = 0; tries < 3000; tries++) {
      const { body } = await tenant.api.get(`/contacts/${kind}/${id}`)
      if (body.completed_at) return body
      await new Promise((go) => setTimeout(go, 10))
    }
    throw new Error('the action did not complete')
  }

  const having = async (id: number): Promise<string[]> => {
    const contacts = createdBody(await tenant.api.get(`${workspace}/contacts?filter[tag_ids]=${id}`))
    return contacts.map(({ first_name }: { first_name: string }) => first_name).sort()
  }

  it('take a stored filter, by either name and either id', async () => {
    const filter = await save('Ada')
    for (const selector of [
      { stored_filter_id: filter.id },
      { stored_filter_id: filter.public_id },
      { filter_id: String(filter.id) },
      { stored_filter_id: filter.id, filter_id: filter.public_id, stable_id: null, target_ids: null, target_all: null },
    ]) {
      const own = await tag(`Stored ${JSON.stringify(selector)}`)
      const asked = await ask({ tag_ids: [own], ...selector })
      expect(asked.body).to.include({ filter_id: filter.id, target_count: null, performed_count: 0 })
      expect(asked.body).to.include({ target_ids: null, target_all: null }).and.not.have.property('filter')
      const { target_count, performed_count, failed_count, filter_id } = await done(asked)
      expect({ target_count, performed_count, failed_count, filter_id }).to.deep.equal({
        target_count: 1,
        performed_count: 1,
        failed_count: 0,
        filter_id: filter.id,
      })
      expect(await having(own)).to.deep.equal(['Ada'])
    }
  })

  it('take a token, which becomes a filter that no list shows', async () => {
    const own = await tag('Token')
    const list = async () => createdBody(await tenant.api.get(`${workspace}/refine_filters`)).refine_filters
    const before = await list()
    const action = await done(
      await ask({ tag_ids: [own], stable_id: await tokenOf('first name is Bob or first name is Ada') }),
    )
    expect(action).to.include({ target_count: 2, performed_count: 2 })
    expect(await having(own)).to.deep.equal(['Ada', 'Bob'])
    expect(await list()).to.deep.equal(before)
    const kept = createdBody(await tenant.api.get(`/contacts/filters/${action.filter_id}`))
    expect(kept).to.include({ id: action.filter_id, name: null })
    const again = await tag('Token of the kept one')
    await done(await ask({ tag_ids: [again], stable_id: kept.stable_id }))
    expect(await having(again)).to.deep.equal(['Ada', 'Bob'])
  })

  it('unsubscribe them as well', async () => {
    const action = await done(
      await ask({ stable_id: await tokenOf('first name is Dan') }, 'unsubscribe_actions'),
      'unsubscribe_actions',
    )
    expect(action).to.include({ performed_count: 1 })
    expect((await tenant.api.get(`/contacts/${people.Dan!.id}`)).body.is_active).to.equal(false)
    expect((await tenant.api.get(`/contacts/${people.Cleo!.id}`)).body.is_active).to.equal(true)
  })

  it('use the filter at the time of the request, and the current contacts', async () => {
    const own = await tag('Later')
    const [changed, removed] = [await save('Eve'), await save('Eve')]
    const asked = [changed, removed].map(({ id }) =>
      ask({ tag_ids: [own], stored_filter_id: id, scheduled_for: shortly() }),
    )
    const answers = await Promise.all(asked)
    createdBody(
      await tenant.api.call('PATCH', `/refine_filters/${changed.id}`, { refine_filter: { criteria: named('Cleo') } }),
    )
    expect((await tenant.api.delete(`/refine_filters/${removed.id}`)).status).to.equal(204)
    await contact('Eve')
    for (const answer of answers) {
      const { started_at, created_at, ...action } = await done(answer)
      expect(action).to.include({ target_count: 1, performed_count: 1, filter_id: answer.body.filter_id })
      expect(started_at > created_at).to.equal(true)
    }
    expect(await having(own)).to.deep.equal(['Eve'])
  })

  it('count the contacts that failed, and name them', async () => {
    const gone = await contact('Gone')
    const asked = await ask({ target_ids: [people.Cleo!.id, gone.id], scheduled_for: shortly() })
    expect((await tenant.api.delete(`/contacts/${gone.id}`)).status).to.equal(204)
    const action = await done(asked)
    expect(action).to.include({ target_count: 2, performed_count: 2, failed_count: 1 })
    expect(action.failed_ids).to.deep.equal([gone.id])
  })

  it('are refused without effect when the filter cannot be used', async () => {
    const elsewhere = await (await testService()).tenant()
    const foreign = await save('Ada', elsewhere)
    const removed = await save('Ada')
    await tenant.api.delete(`/refine_filters/${removed.id}`)
    const mine = await save('Ada')
    const theirTag = createdBody(
      await elsewhere.api.post(`/workspaces/${elsewhere.workspaceId}/contacts/tags`, {
        contacts_tag: { name: 'Theirs' },
      }),
    )
    const criterion = { attribute: 'first_name', clause: 'eq', value: 'Ada' }
    const token = (state: object) =>
      packState({ filter_class: 'ContactsFilter', conjunction: 'and', criteria: [], ...state })
    const mixed = { conjunction: 'or', criteria: [criterion, criterion] }
    const refused: readonly (readonly [field: string, selectors: object])[] = [
      ['stored_filter_id', { stored_filter_id: foreign.id }],
      ['stored_filter_id', { stored_filter_id: foreign.public_id }],
      ['stored_filter_id', { stored_filter_id: removed.id }],
      ['stored_filter_id', { stored_filter_id: 2_000_000_000 }],
      ['stored_filter_id', { stored_filter_id: 'x!' }],
      ['filter_id', { filter_id: foreign.id }],
      ['filter_id', { stored_filter_id: mine.id, filter_id: (await save('Ada')).id }],
      ['stable_id', { stable_id: 'x' }],
      ['stable_id', { stable_id: 7 }],
      ['stable_id', { stable_id: token({}) }],
      ['stable_id', { stable_id: token({ filter_class: 'OrdersFilter', criteria: [criterion] }) }],
      ['stable_id', { stable_id: token({ criteria: [criterion, mixed] }) }],
      [
        'stable_id',
        { stable_id: token({ criteria: [{ attribute: 'tags.id', clause: 'eq', value: theirTag.public_id }] }) },
      ],
      ['target_all', { stored_filter_id: mine.id, target_all: true }],
      ['target_ids', { stable_id: await tokenOf('first name is Ada'), target_ids: [people.Ada!.id] }],
      ['stored_filter_id', { stable_id: await tokenOf('first name is Ada'), stored_filter_id: mine.id }],
      ['target_ids', { target_ids: [], target_all: false, stable_id: '' }],
    ]
    const records = ['contacts/tag_actions', 'contacts/unsubscribe_actions', 'refine_filters']
    const newest = () => Promise.all(records.map((path) => tenant.api.get(`${workspace}/${path}?sort_order=desc`)))
    const before = (await newest()).map(createdBody)
    for (const kind of ['tag_actions', 'unsubscribe_actions'])
      for (const [field, selectors] of refused) {
        const { status, body } = await ask(selectors, kind)
        const about = `${kind} ${JSON.stringify(selectors)}: ${JSON.stringify(body)}`
        expect(status, about).to.equal(422)
        expect(body.details[0].field, about).to.equal(`contacts_${kind.slice(0, -1)}.${field}`)
      }
    expect((await newest()).map(createdBody)).to.deep.equal(before)
  })
})
