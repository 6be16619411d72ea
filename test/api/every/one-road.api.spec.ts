import { expect } from 'chai'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

/** What operations get that are writes, and those of kind `call` did not. */
describe('one road', () => {
  let tenant: Tenant
  let other: Tenant
  before(async () => {
    const service = await testService()
    ;[tenant, other] = [await service.tenant({ test: true }), await service.tenant({ test: true })]
  })
  const make = (kind: string, of = tenant) => recordMakers[kind]!.make(of)

  for (const [kind, root] of [
    ['memberships', 'communities_membership'],
    ['bans', 'communities_ban'],
  ] as const)
    describe(kind, () => {
      const send = async (contact_id: number, headers = {}, community?: number) => {
        const path = `/communities/${community ?? (await make('community'))}/${kind}`
        return tenant.api.post(path, { [root]: { contact_id } }, { headers })
      }

      it('are made once under one key, and answer the repeat as the first', async () => {
        const [contact, community] = [await make('contact'), await make('community')]
        const headers = { 'Idempotency-Key': `${kind}-once` }
        const first = await send(contact, headers, community)
        const again = await send(contact, headers, community)
        expect([first.status, again.status, again.headers.get('idempotency-replayed')]).to.eql([201, 201, 'true'])
        expect(again.body).to.deep.equal(first.body)
        const elsewhere = await send(await make('contact'), headers, community)
        expect([elsewhere.status, elsewhere.body.details[0].code]).to.eql([422, 'reused'])
      })

      it('are refused for a contact of another team, by its field, and make nothing', async () => {
        const community = await make('community')
        const { status, body } = await send(await make('contact', other), {}, community)
        const { field, code } = body.details[0]
        expect([status, field, code]).to.eql([422, `${root}.contact_id`, 'not_found'])
        expect((await tenant.api.get(`/communities/${community}/${kind}`)).body).to.deep.equal([])
      })
    })

  it('a member is banned in the stream of its membership, and a banned contact is refused as a member', async () => {
    const [contact_id, community] = [await make('contact'), await make('community')]
    const path = `/communities/${community}`
    const joined = await tenant.api.post(`${path}/memberships`, { communities_membership: { contact_id } })
    expect(joined.status).to.equal(201)
    const banned = await tenant.api.post(`${path}/bans`, { communities_ban: { contact_id, reason: 'Spam' } })
    expect([banned.status, banned.body.reason]).to.eql([201, 'Spam'])
    expect((await tenant.api.get(`/communities/memberships/${joined.body.id}`)).status).to.equal(404)
    const again = await tenant.api.post(`${path}/memberships`, { communities_membership: { contact_id } })
    expect([again.status, again.body.details[0].code]).to.eql([422, 'banned'])
  })

  it('a setting is set under If-Match and a key, and shows what its read shows', async () => {
    const funnel = await make('funnel')
    const path = `/funnels/${funnel}/checkout`
    const set = (offer_minutes: number, headers = {}) =>
      tenant.api.call('PUT', path, { checkout: { offer_minutes } }, { headers })
    expect((await set(20, { 'If-Match': '"999"' })).status).to.equal(412)
    const before = (await tenant.api.get(`/funnels/${funnel}`)).headers.get('etag')!
    const done = await set(20, { 'If-Match': before, 'Idempotency-Key': 'minutes' })
    expect([done.status, done.body.offer_minutes]).to.eql([200, 20])
    expect(done.body).to.deep.equal((await tenant.api.get(path)).body)
    expect((await set(30, { 'If-Match': before })).status).to.equal(412)
    expect((await set(30, { 'If-Match': done.headers.get('etag')! })).body.offer_minutes).to.equal(30)
    const replayed = await set(20, { 'If-Match': before, 'Idempotency-Key': 'minutes' })
    expect([replayed.headers.get('idempotency-replayed'), replayed.body.offer_minutes]).to.eql(['true', 20])
    const foreign = { gateway_account_id: await make('payments/gateway_account', other) }
    const refused = await tenant.api.call('PUT', path, { checkout: foreign })
    expect([refused.status, refused.body.details[0].field]).to.eql([422, 'checkout.gateway_account_id'])
  })
})
