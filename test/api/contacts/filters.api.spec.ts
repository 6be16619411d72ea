import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'

describe('contact filters', () => {
  let tenant: Tenant
  let workspace: string
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
  })

  const contact = async (fields: object) =>
    createdBody(await tenant.api.post(`${workspace}/contacts`, { contact: fields }))
  const tag = async (name: string) =>
    createdBody(await tenant.api.post(`${workspace}/contacts/tags`, { contacts_tag: { name } }))
  const save = async (fields: object) =>
    createdBody(await tenant.api.post(`${workspace}/refine_filters`, { refine_filter: fields }))
  const listed = async (query: string): Promise<string[]> => {
    const contacts = createdBody(await tenant.api.get(`${workspace}/contacts?${query}`))
    return contacts.map(({ first_name }: { first_name: string }) => first_name).sort()
  }
  const generate = async (text: string, more: object = {}) =>
    createdBody(await tenant.api.post(`${workspace}/contacts/filters`, { text, ...more }))

  describe('stored', () => {
    it('come back in their normal form', async () => {
      const vip = await tag('Normal')
      const filter = await save({
        name: 'Normal form',
        criteria: [
          { attribute: 'tags.id', clause: 'eq', value: vip.public_id },
          { attribute: 'created_at', clause: 'gte', value: '2026-01-02T03:04:05Z' },
          { attribute: 'last_activity', clause: 'lt', value: { days: 30, modifier: 'ago' } },
          { attribute: 'unsubscribed_at', clause: 'nst' },
        ],
      })
      expect(filter).to.include({ name: 'Normal form', filter_class: 'ContactsFilter', conjunction: 'and' })
      expect(filter.criteria).to.deep.equal([
        { attribute: 'tags.id', clause: 'eq', value: [vip.public_id] },
        { attribute: 'created_at', clause: 'gte', value: '2026-01-02' },
        { attribute: 'last_activity', clause: 'lt', value: { days: '30', modifier: 'ago' } },
        { attribute: 'unsubscribed_at', clause: 'nst' },
      ])
      expect((await tenant.api.get(`/refine_filters/${filter.public_id}`)).body).to.deep.equal(filter)
    })

    it('are refused, and name what is wrong, when an object stands where a text belongs', async () => {
      const odd = { toString: [1] }
      for (const [name, criterion] of Object.entries({
        attribute: { attribute: odd, clause: 'eq', value: 'Ada' },
        clause: { attribute: 'first_name', clause: odd, value: 'Ada' },
        value: { attribute: 'created_at', clause: 'gte', value: odd },
      })) {
        const sent = { refine_filter: { criteria: [criterion] } }
        const { status, body } = await tenant.api.post(`${workspace}/refine_filters`, sent)
        expect(status).to.equal(422)
        expect(JSON.stringify(body.details)).to.include(`criteria[0].${name}`)
      }
    })

    it('have at most 200 conditions', async () => {
      const send = (number: number) =>
        tenant.api.post(`${workspace}/refine_filters`, {
          refine_filter: {
            criteria: Array.from({ length: number }, () => ({ attribute: 'first_name', clause: 'eq', value: 'Ada' })),
          },
        })
      const { status, body } = await send(205)
      expect([status, body.details[0].message]).to.deep.equal([422, 'criteria can be at most 200, and are 205'])
      expect((await send(200)).status).to.equal(201)
    })

    it('change in part, keep their names apart, and go', async () => {
      const criteria = [{ attribute: 'first_name', clause: 'eq', value: 'Ada' }]
      const [one, two] = [await save({ name: 'One', criteria }), await save({ name: 'Two', criteria })]
      const patch = (id: number, fields: object) =>
        tenant.api.call('PATCH', `/refine_filters/${id}`, { refine_filter: fields })
      const taken = await patch(two.id, { name: 'One' })
      expect([taken.status, taken.body.error]).to.deep.equal([
        422,
        'Request unprocessable: Name has already been taken',
      ])
      expect(createdBody(await patch(two.id, { name: 'Zwei' }))).to.deep.include({ name: 'Zwei', criteria })
      const other = [{ attribute: 'last_name', clause: 'sw', value: 'Lo' }]
      expect(createdBody(await patch(two.id, { criteria: other }))).to.deep.include({ name: 'Zwei', criteria: other })
      expect((await tenant.api.delete(`/refine_filters/${one.id}`)).status).to.equal(204)
      expect((await tenant.api.get(`/refine_filters/${one.id}`)).status).to.equal(404)
      expect((await save({ name: 'One', criteria })).name).to.equal('One')
      expect((await save({ criteria })).name).to.equal(null)
      expect((await save({ criteria })).name).to.equal(null)
    })

    it('are listed whole, or in pages when `after` is sent', async () => {
      const mine = await (await testService()).tenant()
      const path = `/workspaces/${mine.workspaceId}/refine_filters`
      const criteria = [{ attribute: 'first_name', clause: 'eq', value: 'Ada' }]
      const ids: number[] = []
      for (let i = 0; i < 43; i++)
        ids.push(createdBody(await mine.api.post(path, { refine_filter: { name: `F${i}`, criteria } })).id)
      const page = async (query: string) => {
        const { status, body, headers } = await mine.api.get(`${path}${query}`)
        expect(status).to.equal(200)
        return { ids: body.refine_filters.map(({ id }: { id: number }) => id), next: headers.get('pagination-next') }
      }
      expect(await page('')).to.deep.equal({ ids, next: null })
      expect(await page('?after=0')).to.deep.equal({ ids: ids.slice(0, 20), next: String(ids[19]) })
      expect(await page(`?after=${ids[19]}`)).to.deep.equal({ ids: ids.slice(20, 40), next: String(ids[39]) })
      expect(await page(`?after=${ids[39]}`)).to.deep.equal({ ids: ids.slice(40), next: null })
      expect((await page('?after=0&sort_order=desc')).ids).to.deep.equal(ids.slice(23).reverse())
      const foreign = await save({ criteria })
      for (const nowhere of [foreign.id, foreign.id + 1, 2 ** 31 - 1]) {
        expect(await page(`?after=${nowhere}`)).to.deep.equal({ ids: [], next: null })
      }
      expect((await page('?filter[name]=F7')).ids).to.deep.equal([ids[7]])
    })
  })

  describe('on the contacts list', () => {
    let vip: { id: number; public_id: string }
    before(async () => {
      vip = await tag('VIP')
      await contact({
        email_address: 'ada@lovelace.example',
        first_name: 'Ada',
        last_name: 'Lovelace',
        tag_ids: [vip.id],
      })
      await contact({ email_address: 'adam@smith.example', first_name: 'Adam', last_name: 'Smith' })
      await contact({ email_address: 'bob@smith.example', first_name: 'Bob', last_name: 'Smith', tag_ids: [vip.id] })
      await contact({ first_name: 'Nobody' })
      const gone = await contact({ email_address: 'ada@gone.example', first_name: 'Ada' })
      await tenant.api.delete(`/contacts/${gone.id}/gdpr_destroy`)
    })

    const narrowed = async (...criteria: readonly object[]) => {
      const { id, public_id } = await save({ criteria })
      const byId = await listed(`stored_filter_id=${id}`)
      expect(await listed(`stored_filter_id=${public_id}`)).to.deep.equal(byId)
      return byId
    }

    it('choose by equality, beginnings and tags, and all of them together', async () => {
      expect(await narrowed({ attribute: 'email_address', clause: 'eq', value: 'ADA@lovelace.example' })).to.deep.equal(
        ['Ada'],
      )
      expect(await narrowed({ attribute: 'first_name', clause: 'sw', value: 'ada' })).to.deep.equal(['Ada', 'Adam'])
      expect(await narrowed({ attribute: 'first_name', clause: 'sw', value: 'A' })).to.deep.equal(['Ada', 'Adam'])
      expect(await narrowed({ attribute: 'last_name', clause: 'eq', value: 'smith' })).to.deep.equal(['Adam', 'Bob'])
      const isVip = { attribute: 'tags.id', clause: 'eq', value: [String(vip.id)] }
      expect(await narrowed(isVip)).to.deep.equal(['Ada', 'Bob'])
      expect(await narrowed(isVip, { attribute: 'last_name', clause: 'eq', value: 'Smith' })).to.deep.equal(['Bob'])
      expect(await narrowed({ ...isVip, clause: 'nin' })).to.deep.equal(['Adam'])
    })

    it('choose by dates and activity', async () => {
      expect(
        await narrowed({ attribute: 'created_at', clause: 'lt', value: { days: '1', modifier: 'ago' } }),
      ).to.have.length(3)
      expect(await narrowed({ attribute: 'created_at', clause: 'lte', value: '2020-01-01' })).to.deep.equal([])
      expect(
        await narrowed({ attribute: 'last_activity', clause: 'gt', value: { days: '1', modifier: 'ago' } }),
      ).to.deep.equal([])
      expect(await narrowed({ attribute: 'unsubscribed_at', clause: 'nst' })).to.have.length(3)
    })

    it('reach anonymous contacts only when they speak of them', async () => {
      expect(await narrowed({ attribute: 'first_name', clause: 'eq', value: 'Nobody' })).to.deep.equal([])
      expect(await narrowed({ attribute: 'anonymous', clause: 'eq', value: true })).to.deep.equal(['Nobody'])
    })

    it('narrow further what filter[…] leaves, and page through it', async () => {
      const { id } = await save({ criteria: [{ attribute: 'first_name', clause: 'sw', value: 'ada' }] })
      expect(await listed(`stored_filter_id=${id}&filter[tag_ids]=${vip.id}`)).to.deep.equal(['Ada'])
      expect(await listed(`stored_filter_id=${id}&sort_order=desc`)).to.deep.equal(['Ada', 'Adam'])
      for (let i = 0; i < 45; i++) await contact({ first_name: i % 2 ? 'Zoe' : 'Zora', phone_number: `${i}` })
      const filter = await save({ criteria: [{ attribute: 'first_name', clause: 'eq', value: 'zora' }] })
      expect(await listed(`stored_filter_id=${filter.id}&filter[email_address]=`)).to.deep.equal([])
      const first = await tenant.api.get(`${workspace}/contacts?stored_filter_id=${filter.id}`)
      const next = first.headers.get('pagination-next')
      const second = await tenant.api.get(`${workspace}/contacts?stored_filter_id=${filter.id}&after=${next}`)
      expect([first.body.length, second.body.length, second.headers.get('pagination-next')]).to.deep.equal([
        20,
        3,
        null,
      ])
    })

    it('are refused when they are no filter of contacts of this workspace', async () => {
      const elsewhere = await (await testService()).tenant()
      const criteria = [{ attribute: 'first_name', clause: 'eq', value: 'Ada' }]
      const foreign = createdBody(
        await elsewhere.api.post(`/workspaces/${elsewhere.workspaceId}/refine_filters`, {
          refine_filter: { criteria },
        }),
      )
      for (const id of [foreign.id, foreign.public_id, '2000000000', 'x', vip.public_id]) {
        const { status, body } = await tenant.api.get(`${workspace}/contacts?stored_filter_id=${id}`)
        expect([status, body.error]).to.deep.equal([
          422,
          'Request unprocessable: stored_filter_id is invalid or does not belong to this workspace',
        ])
      }
      for (const token of ['x', 'H4sIAAAA', '%', encodeURIComponent('H4sI%%%')]) {
        expect((await tenant.api.get(`${workspace}/contacts?stable_id=${token}`)).status).to.equal(422)
      }
      for (const name of ['filters', 'filter']) {
        const { status, body } = await tenant.api.get(`${workspace}/contacts?${name}[stored_filter_id]=1`)
        expect(status).to.equal(400)
        expect(body.error).to.include('stored_filter_id must be a top-level parameter, not nested under filters[]')
      }
    })
  })

  describe('made of plain words', () => {
    it('give a token for the list, and nothing is stored', async () => {
      const made = await generate('whose first name is Ada')
      expect(made).to.deep.include({ id: null, public_id: null, workspace_id: null, name: null })
      expect(made.filter).to.deep.equal({
        conjunction: 'and',
        criteria: [{ attribute: 'first_name', clause: 'eq', value: 'Ada' }],
      })
      expect(decodeURIComponent(made.stable_id)).to.match(/^H4sI[A-Za-z0-9+/]+=*$/)
      expect(await listed(`stable_id=${encodeURIComponent(made.stable_id)}`)).to.deep.equal(['Ada'])
      expect(await listed(`stable_id=${made.stable_id}`), 'encoded once too little').to.deep.equal(['Ada'])
      const { id } = await save({ criteria: [{ attribute: 'first_name', clause: 'eq', value: 'Bob' }] })
      expect(await listed(`stored_filter_id=${id}&stable_id=${made.stable_id}`), 'the token wins').to.deep.equal([
        'Ada',
      ])
    })

    it('are stored when asked for, also with or and beyond the public list', async () => {
      const saved = await generate('first name is Bob or email ends with @lovelace.example', {
        save: true,
        name: 'Either',
      })
      expect(saved).to.include({ workspace_id: tenant.workspaceId, name: 'Either' })
      expect(saved.filter.conjunction).to.equal('or')
      expect(await listed(`stored_filter_id=${saved.id}`)).to.deep.equal(['Ada', 'Bob'])
      const shown = (await tenant.api.get(`/contacts/filters/${saved.public_id}`)).body
      expect(shown).to.deep.equal(saved)
      const names = (await tenant.api.get(`${workspace}/refine_filters?filter[name]=Either`)).body.refine_filters
      expect(names.map(({ id }: { id: number }) => id)).to.deep.equal([saved.id])
    })

    it('need only read access unless they are stored', async () => {
      const reader = await tenant.withScopes(['contacts:read'])
      const ask = (body: object) => reader.post(`${workspace}/contacts/filters`, { text: 'unsubscribed', ...body })
      expect((await ask({})).status).to.equal(201)
      expect((await ask({ save: true })).status).to.equal(403)
    })

    it('are refused rather than guessed', async () => {
      const { status, body } = await tenant.api.post(`${workspace}/contacts/filters`, {
        text: 'contacts who live in Paris',
      })
      expect(status).to.equal(422)
      expect(body.error).to.include("text was not understood at 'live', 'in', 'Paris'")
      for (const empty of [{}, { text: '' }, { text: '  ' }, { text: 7 }]) {
        const refused = await tenant.api.post(`${workspace}/contacts/filters`, empty)
        expect([refused.status, refused.body.error]).to.deep.equal([
          400,
          'Bad request: param is missing or the value is empty: text',
        ])
      }
    })
  })
})
