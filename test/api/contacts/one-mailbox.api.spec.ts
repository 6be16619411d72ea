import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { startTestService, type Tenant, type TestService, testService } from '../../support/service.ts'

const COMPOSED = 'Zoë'
const DECOMPOSED = 'Zoe\u0308'

describe('one mailbox is one contact', () => {
  let service: TestService
  let tenant: Tenant
  let contacts: string
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    contacts = `/workspaces/${tenant.workspaceId}/contacts`
  })

  const create = (contact: object) => tenant.api.post(contacts, { contact })
  const upsert = (contact: object) => tenant.api.post(`${contacts}/upsert`, { contact })
  const idsAt = async (query: string): Promise<number[]> =>
    (await tenant.api.get(`${contacts}?${query}`)).body.map(({ id }: { id: number }) => id)
  const byEmail = (address: string) => idsAt(`filter[email_address]=${encodeURIComponent(address)}`)

  const SPELLINGS = [
    'ada@bücher.example',
    'ADA@BÜCHER.example',
    'ada@xn--bcher-kva.example',
    'ada@bu\u0308cher.example',
    '\ufeffa\u200bd\u00ada@bücher.example\u200f',
    '"ada"@bücher.example',
  ]

  it('created, changed, upserted and found by any spelling of its address', async () => {
    const made = await create({ email_address: SPELLINGS[0] })
    expect(made.status).to.equal(201)
    const other = (await create({ email_address: 'other@bücher.example' })).body
    for (const email_address of SPELLINGS) {
      const second = await create({ email_address })
      expect(second.status, email_address).to.equal(422)
      expect(second.body.details[0]).to.include({ field: 'contact.email_address', code: 'taken' })
      const moved = await tenant.api.put(`/contacts/${other.id}`, { contact: { email_address } })
      expect(moved.status, email_address).to.equal(422)
      const again = await upsert({ email_address, first_name: COMPOSED })
      expect([again.status, again.body.id], email_address).to.deep.equal([200, made.body.id])
      expect(await byEmail(email_address), email_address).to.deep.equal([made.body.id])
    }
  })

  it('gives its address free in all spellings when it goes', async () => {
    const { id } = (await create({ email_address: 'bob@xn--bcher-kva.example' })).body
    await tenant.api.delete(`/contacts/${id}`)
    expect((await create({ email_address: 'bob@bücher.example' })).status).to.equal(201)
  })

  it('shows its address as it was sent, without what nobody sees', async () => {
    const { body } = await create({ email_address: ' Car\u200bol@XN--BCHER-KVA.example\ufeff' })
    expect(body.email_address).to.equal('Carol@XN--BCHER-KVA.example')
  })

  it('is not made of a text that is no address, and the field is named', async () => {
    const texts = ['a,b@example.com', 'a@x..com', 'mailto:a@example.com', 'a b@example.com', 'a"b@example.com']
    for (const email_address of texts) {
      for (const answer of [await create({ email_address }), await upsert({ email_address })]) {
        expect(answer.status, email_address).to.equal(422)
        expect(answer.body.details).to.deep.equal([
          { field: 'contact.email_address', code: 'invalid', message: 'Email address is invalid' },
        ])
      }
    }
    const long = await create({ email_address: `a@${'b.'.repeat(126)}com` })
    expect(long.status).to.equal(422)
    expect(long.body.details[0]).to.include({ field: 'contact.email_address', code: 'too_long' })
  })

  it('is found by filters in any spelling, stored or as a token', async () => {
    const made = (await create({ email_address: 'zoe@xn--fller-kva.example', first_name: DECOMPOSED })).body
    const conditions = [
      { attribute: 'email_address', clause: 'eq', value: 'ZOE@füller.example' },
      { attribute: 'email_address', clause: 'sw', value: 'zo\u200be@fü' },
      { attribute: 'first_name', clause: 'eq', value: COMPOSED },
      { attribute: 'first_name', clause: 'sw', value: 'ＺＯＥ\u0308' },
    ]
    for (const [index, condition] of conditions.entries()) {
      const refine_filter = { name: `Zoë ${index}`, criteria: [condition] }
      const stored = await tenant.api.post(`/workspaces/${tenant.workspaceId}/refine_filters`, { refine_filter })
      expect(stored.status).to.equal(201)
      const where = `filter[id]=${made.id}`
      expect(await idsAt(`stored_filter_id=${stored.body.id}&${where}`), condition.value).to.deep.equal([made.id])
      const { stable_id } = (await tenant.api.get(`/contacts/filters/${stored.body.id}`)).body
      expect(await idsAt(`stable_id=${encodeURIComponent(stable_id)}&${where}`)).to.deep.equal([made.id])
    }
    const text = 'whose email ends with "@füller.example"'
    const { stable_id } = (await tenant.api.post(`${contacts}/filters`, { text })).body
    expect(await idsAt(`stable_id=${encodeURIComponent(stable_id)}`)).to.deep.equal([made.id])
  })

  it('has no value where a text is blank', async () => {
    const made = await create({
      email_address: 'blank@example.com',
      first_name: ' ',
      last_name: '\u200b\u00ad',
      custom_attributes: { city: '\ufeff \t' },
    })
    expect(made.body).to.include({ first_name: null, last_name: null })
    expect(made.body.custom_attributes).to.deep.equal({ city: '' })
    await upsert({ email_address: 'blank@example.com', first_name: 'B', custom_attributes: { city: 'X' } })
    const kept = await upsert({
      email_address: 'blank@example.com',
      first_name: '\u200b',
      custom_attributes: { city: ' ' },
    })
    expect(kept.body).to.include({ first_name: 'B' })
    expect(kept.body.custom_attributes).to.deep.equal({ city: 'X' })
  })
})

describe('what a former version stored', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await startTestService()
    tenant = await service.tenant()
  })

  /** Appends events as a former version did, with its claim. */
  const append = async (stream: string, claim: string, ...events: readonly (readonly [string, JsonObject])[]) => {
    const metadata = {
      ...{ at: new Date().toISOString(), actor: 'key:1', $correlationId: 'c', $causationId: 'c' },
      ...{ team_id: tenant.teamId, workspace_id: tenant.workspaceId },
    }
    const appended = await service.background.stores.log.append({
      stream,
      expected: -1,
      events: events.map(([type, data]) => ({ id: randomUUID(), type, data, metadata })),
      take: [{ key: claim }],
    })
    expect(appended.ok).to.equal(true)
    await service.caughtUp()
  }

  it('keeps its mailbox in every spelling, although its claim is in another one', async () => {
    const { workspaceId, api } = tenant
    const contacts = `/workspaces/${workspaceId}/contacts`
    const { vault } = service.background.stores
    for (const [at, former] of ['dora\u200b@bücher.example', 'emil@xn--bcher-kva.example'].entries()) {
      const id = 900_000_000 + at
      const personal = await vault.seal(id, { email_address: former, first_name: 'Former' })
      await append(
        `contact-${id}`,
        `contact.email:${workspaceId}:${vault.token('of a former version', former)}`,
        ['ContactCreated', { uuid: randomUUID(), time_zone: null, personal }],
        ['ContactIdentified', {}],
      )
      const name = former.split('@')[0]!.replace('\u200b', '')
      for (const email_address of [`${name}@bücher.example`, `${name.toUpperCase()}@xn--bcher-kva.example`]) {
        const found = await api.get(`${contacts}?filter[email_address]=${encodeURIComponent(email_address)}`)
        expect(found.body.map((one: { id: number }) => one.id)).to.deep.equal([id])
        const upserted = await api.post(`${contacts}/upsert`, { contact: { email_address, last_name: 'Now' } })
        expect([upserted.status, upserted.body.id]).to.deep.equal([200, id])
        expect(upserted.body).to.include({ first_name: 'Former', last_name: 'Now' })
      }
    }
  })

  it('stays readable where names differ by case alone, and takes no further one', async () => {
    const { workspaceId, api } = tenant
    const tags = `/workspaces/${workspaceId}/contacts/tags`
    const ids = [910_000_000, 910_000_001]
    for (const [at, name] of ['Gold', 'GOLD'].entries())
      await append(`contacts/tag-${ids[at]}`, `contacts/tag.name:${workspaceId}:${name}`, [
        'ContactsTagCreated',
        { name, color: '#94a3b8' },
      ])
    const found = await api.get(`${tags}?filter[name]=gold`)
    expect(found.body.map((one: { name: string }) => one.name)).to.deep.equal(['Gold', 'GOLD'])
    for (const name of ['gold', 'Gold', 'gOLD'])
      expect((await api.post(tags, { contacts_tag: { name } })).status, name).to.equal(422)
    const recoloured = await api.put(`/contacts/tags/${ids[1]}`, { contacts_tag: { color: '#000000', name: 'GOLD' } })
    expect(recoloured.body).to.include({ name: 'GOLD', color: '#000000' })
    expect((await api.put(`/contacts/tags/${ids[1]}`, { contacts_tag: { name: 'Silver' } })).status).to.equal(200)
    expect((await api.delete(`/contacts/tags/${ids[0]}`)).status).to.equal(204)
    expect((await api.post(tags, { contacts_tag: { name: 'gold' } })).status).to.equal(201)
  })
})

describe('tags that a reader takes for the same', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })

  const KINDS = [
    ['contacts/tags', 'contacts_tag'],
    ['orders/tags', 'orders_tag'],
    ['products/tags', 'products_tag'],
    ['funnels/tags', 'funnels_tag'],
  ] as const

  for (const [kind, root] of KINDS) {
    it(`are one among ${kind}, whatever their case and composition`, async () => {
      const tags = `/workspaces/${tenant.workspaceId}/${kind}`
      const make = (name: string) => tenant.api.post(tags, { [root]: { name } })
      const made = await make(COMPOSED)
      expect(made.status).to.equal(201)
      const other = await make('Other')
      for (const name of [DECOMPOSED, COMPOSED.toUpperCase(), 'Ｚｏë', ` ${COMPOSED}\u200b`]) {
        const change = await tenant.api.put(`/${kind}/${other.body.id}`, { [root]: { name } })
        for (const answer of [await make(name), change]) {
          expect(answer.status, name).to.equal(422)
          expect(answer.body.error).to.equal('Request unprocessable: Name has already been taken')
        }
      }
      const own = await tenant.api.put(`/${kind}/${made.body.id}`, { [root]: { name: COMPOSED.toUpperCase() } })
      expect(own.body.name).to.equal(COMPOSED.toUpperCase())
      if (kind === 'contacts/tags' || kind === 'funnels/tags') {
        const found = await tenant.api.get(`${tags}?filter[name]=${encodeURIComponent(DECOMPOSED.toLowerCase())}`)
        expect(found.body.map(({ id }: { id: number }) => id)).to.deep.equal([made.body.id])
      }
      await tenant.api.delete(`/${kind}/${made.body.id}`)
      expect((await make(DECOMPOSED)).status).to.equal(201)
    })
  }
})
