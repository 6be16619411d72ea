import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { keyOfAddress } from '../../../domain/kernel/model/personal.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'

/** A text that no former run on the same log has written in the clear. */
const MARK = randomBytes(6).toString('hex')
const ADDRESS = `sealed.${MARK}@unmistakable.example`
const NAME = `S${MARK}ina`

describe('what is personal in a stored filter', () => {
  let service: TestService
  let tenant: Tenant
  let workspace: string
  let contactId: number
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
    const contact = { email_address: ADDRESS, first_name: NAME, last_name: 'Lovelace' }
    contactId = createdBody(await tenant.api.post(`${workspace}/contacts`, { contact })).id
  })

  const save = async (...criteria: readonly object[]) =>
    createdBody(await tenant.api.post(`${workspace}/refine_filters`, { refine_filter: { criteria } }))
  const listed = async (query: string): Promise<number[]> =>
    createdBody(await tenant.api.get(`${workspace}/contacts?${query}`)).map(({ id }: { id: number }) => id)
  const vault = () => service.background.stores.vault
  const document = (id: number) => service.background.stores.readModels.live.get('refine_filter', id)

  const logged = async (): Promise<string> => {
    let text = ''
    for await (const event of service.background.stores.log.readAll()) text += JSON.stringify(event)
    return text
  }

  it('is sealed in the log and in documents, and still shown, matched and copied', async () => {
    const criteria = [
      { attribute: 'email_address', clause: 'eq', value: ADDRESS.toUpperCase() },
      { attribute: 'first_name', clause: 'sw', value: NAME.slice(0, 9) },
    ]
    const filter = await save(...criteria)
    expect(filter.criteria).to.deep.equal(criteria)
    expect(await listed(`stored_filter_id=${filter.id}`)).to.deep.equal([contactId])
    const { stable_id } = createdBody(await tenant.api.get(`/contacts/filters/${filter.id}`))
    expect(await listed(`stable_id=${stable_id}`)).to.deep.equal([contactId])
    const action = { contacts_unsubscribe_action: { stable_id } }
    const { filter_id } = createdBody(await tenant.api.post(`${workspace}/contacts/unsubscribe_actions`, action))
    expect(createdBody(await tenant.api.get(`/refine_filters/${filter_id}`)).criteria).to.deep.equal(criteria)
    const changed = [{ ...criteria[1]!, clause: 'eq', value: `${NAME}!` }]
    const body = { refine_filter: { criteria: changed } }
    expect(createdBody(await tenant.api.call('PATCH', `/refine_filters/${filter.id}`, body)).criteria).to.deep.equal(
      changed,
    )

    const text = await logged()
    expect(text).to.include('FilterSaved').and.include('FilterCriteriaReplaced').and.include('UnsubscribeActionQueued')
    const documents = JSON.stringify([await document(filter.id), await document(filter_id)])
    for (const value of [ADDRESS, ADDRESS.toUpperCase(), NAME.slice(0, 9)]) {
      expect(text).not.to.include(value)
      expect(documents).not.to.include(value)
    }
  })

  it('is sealed for the person with the full address, for the address when nobody has it, or for the workspace', async () => {
    const ofs = async (...criteria: readonly object[]) => {
      const { criteria: kept } = (await document((await save(...criteria)).id)) as unknown as {
        readonly criteria: readonly { readonly sealed: { readonly of: number } }[]
      }
      return kept.map(({ sealed }) => sealed.of)
    }
    const address = { attribute: 'email_address', clause: 'eq', value: ADDRESS }
    expect(
      await ofs(address, { ...address, value: 'nobody@unmistakable.example' }, { ...address, clause: 'sw' }),
    ).to.deep.equal([
      contactId,
      keyOfAddress(vault(), tenant.workspaceId, 'NOBODY@unmistakable.example'),
      -tenant.workspaceId,
    ])
    const other = await service.tenant()
    const body = { refine_filter: { criteria: [address] } }
    const foreign = createdBody(await other.api.post(`/workspaces/${other.workspaceId}/refine_filters`, body))
    const ofAddress = keyOfAddress(vault(), other.workspaceId, address.value)
    expect(JSON.stringify(await document(foreign.id))).to.include(`"of":${ofAddress}`)
  })

  it('is sealed for the person who has the address now, however many had it before', async () => {
    const contact = { email_address: `passed.on.${MARK}@unmistakable.example` }
    const create = async () => createdBody(await tenant.api.post(`${workspace}/contacts`, { contact })).id
    for (let n = 0; n < 25; n++) await tenant.api.delete(`/contacts/${await create()}`)
    const last = await create()
    const filter = await save({ attribute: 'email_address', clause: 'eq', value: contact.email_address })
    expect(JSON.stringify(await document(filter.id))).to.include(`"of":${last}`)
  })

  it('cannot be forged: a sealed text from a client is no value', async () => {
    const filter = await save({ attribute: 'email_address', clause: 'eq', value: ADDRESS })
    const [kept] = ((await document(filter.id)) as unknown as { readonly criteria: readonly { sealed: object }[] })
      .criteria
    const sent = { attribute: 'email_address', clause: 'eq', sealed: kept!.sealed }
    for (const value of [{}, { value: { text: 'x', of: contactId } }]) {
      const body = { refine_filter: { criteria: [{ ...sent, ...value }] } }
      expect((await tenant.api.post(`${workspace}/refine_filters`, body)).status).to.equal(422)
    }
  })

  it('is read when an older version has stored it in the clear', async () => {
    const id = 900_000_000 + randomInt(1e8)
    const criteria = [{ attribute: 'email_address', clause: 'eq', value: ADDRESS }]
    const { log } = service.background.stores
    const appended = await log.append({
      stream: `refine_filter-${id}`,
      expected: -1,
      events: [
        {
          id: randomUUID(),
          type: 'FilterSaved',
          data: { name: null, filter_class: 'ContactsFilter', conjunction: 'and', criteria, one_off: false },
          metadata: {
            at: new Date().toISOString(),
            actor: 'key:1',
            $correlationId: 'older',
            $causationId: 'older',
            team_id: tenant.teamId,
            workspace_id: tenant.workspaceId,
          },
        },
      ],
    })
    if (!('position' in appended)) throw new Error('not appended')
    await service.background.reached(appended.position, 10_000)
    expect(createdBody(await tenant.api.get(`/refine_filters/${id}`)).criteria).to.deep.equal(criteria)
    expect(await listed(`stored_filter_id=${id}`)).to.deep.equal([contactId])
    const { stable_id } = createdBody(await tenant.api.get(`/contacts/filters/${id}`))
    expect(await listed(`stable_id=${stable_id}`)).to.deep.equal([contactId])
  })

  it('matches nobody once the person is erased, in every use', async () => {
    const other = createdBody(
      await tenant.api.post(`${workspace}/contacts`, { contact: { email_address: 'left@example.com' } }),
    )
    const gone = { email_address: 'gone@unmistakable.example' }
    const person = createdBody(await tenant.api.post(`${workspace}/contacts`, { contact: gone }))
    const criterion = { attribute: 'email_address', clause: 'eq', value: gone.email_address }
    const filter = await save(criterion)
    expect(await listed(`stored_filter_id=${filter.id}`)).to.deep.equal([person.id])
    expect((await tenant.api.delete(`/contacts/${person.id}/gdpr_destroy`)).status).to.equal(204)
    expect(createdBody(await tenant.api.get(`/refine_filters/${filter.id}`)).criteria).to.deep.equal([
      { ...criterion, value: '' },
    ])
    expect(await listed(`stored_filter_id=${filter.id}`)).to.deep.equal([])
    expect((await listed('')).includes(other.id)).to.equal(true)
    // The address is free again, and belongs to the next contact that uses it.
    const next = createdBody(await tenant.api.post(`${workspace}/contacts`, { contact: gone }))
    expect(await listed(`stored_filter_id=${filter.id}`)).to.deep.equal([])
    expect(await listed(`stored_filter_id=${(await save(criterion)).id}`)).to.deep.equal([next.id])
  })
})
