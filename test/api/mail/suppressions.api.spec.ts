import { expect } from 'chai'
import { contacts } from '../../../domain/contacts/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { complaint, deliveryReport } from '../../infra/mail-intake/mails.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { reportTo } from '../../support/smtp-report.ts'
import { begin, createContacts, deliveriesOf, OWED, settledOf, statusesOf } from '../../workers/mail/mailing-tenant.ts'

const failed = (address: string, status = '5.1.1') =>
  deliveryReport(`Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: ${status}`)

describe('suppression belongs to the address', () => {
  let service: TestService
  let tenant: Tenant
  let people = 0

  before(async () => {
    service = await startTestService({ MILLRACE_MAIL_PORT: '0' })
    tenant = await service.tenant()
  })

  const person = async () => {
    const address = `p${++people}@suppressed.example`
    const [id = 0] = await createContacts(tenant, [address])
    return { id, address }
  }
  const get = async (id: number) => ok(await tenant.api.get(`/contacts/${id}`))
  const move = async (id: number, email_address: string) =>
    ok(await tenant.api.put(`/contacts/${id}`, { contact: { email_address } }))
  const remove = async (id: number) => expect((await tenant.api.delete(`/contacts/${id}`)).status).to.equal(204)
  const erase = async (id: number) =>
    expect((await tenant.api.delete(`/contacts/${id}/gdpr_destroy`)).status).to.equal(204)
  const imported = async (email_address: string) =>
    Number(
      ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/upsert`, { contact: { email_address } })).id,
    )
  const mailTo = async (id: number) => {
    const mailing = await begin(tenant, [id])
    const [delivery] = await settledOf(service, mailing)
    return { mailing, mail: (await readKept(service.background.stores, mailing, delivery!.id))! }
  }
  /** What becomes of a marketing mail to a contact, and of one that is owed. */
  const outcomes = async (id: number) => [
    ...statusesOf(await settledOf(service, await begin(tenant, [id]))),
    ...statusesOf(await settledOf(service, await begin(tenant, [id], { class: 'owed', content: OWED }))),
  ]
  const report = (recipient: string, mail: Buffer) => reportTo(service.mailPort!, recipient, mail)
  const becomes = (id: number, known: object) => eventually(async () => expect(await get(id)).to.deep.include(known))
  const known = async (address: string) =>
    (
      await tenant.api.get(
        `/workspaces/${tenant.workspaceId}/contacts/suppressions?filter[email_address]=${encodeURIComponent(address)}`,
      )
    ).body as { readonly id: number; readonly reason: string | null }[]
  const isKnown = (address: string, reason: string) =>
    eventually(async () => expect((await known(address))[0]?.reason).to.equal(reason))

  it('a report about a mail to the old address does not silence the new one', async () => {
    for (const [kind, reason] of [
      ['bounce', 'bounced'],
      ['complaint', 'complained'],
    ] as const) {
      const { id, address } = await person()
      const { mail } = await mailTo(id)
      await move(id, `new-${address}`)
      if (kind === 'bounce') await report(mail.returnPath, failed(address))
      else await report('abuse@shop.example', complaint('abuse', mail.messageId))
      await isKnown(address, reason)
      await service.caughtUp()
      expect((await get(id)).email_suppression_reason, kind).to.equal(null)
      expect(await outcomes(id), kind).to.deep.equal(['kept', 'kept'])
    }
  })

  it('going away and back keeps the bounce of the address', async () => {
    const { id, address } = await person()
    const { mail } = await mailTo(id)
    await report(mail.returnPath, failed(address))
    await becomes(id, { email_suppression_reason: 'bounced' })
    await move(id, `away-${address}`)
    expect((await get(id)).email_suppression_reason).to.equal(null)
    expect(await outcomes(id)).to.deep.equal(['kept', 'kept'])
    await move(id, address)
    expect(await outcomes(id), 'at once').to.deep.equal(['suppressed', 'suppressed'])
    await becomes(id, { email_suppression_reason: 'bounced', is_active: false })
  })

  it('is not known to the contact yet when it was noted by a former version, and stays with the address', async () => {
    const { id, address } = await person()
    await tenant.carryOut!(ask(contacts, id, 'suppress', { reason: 'bounced' }))
    await move(id, `away-${address}`)
    const other = await imported(address)
    await becomes(other, { email_suppression_reason: 'bounced' })
    expect(await outcomes(other)).to.deep.equal(['suppressed', 'suppressed'])
  })

  it('deletion, erasure and import revive nobody who unsubscribed, bounced or complained', async () => {
    for (const ended of [remove, erase])
      for (const [act, wanted, left] of [
        ['unsubscribe', {}, ['unsubscribed', 'kept']],
        ['suppress', { reason: 'bounced' }, ['suppressed', 'suppressed']],
        ['suppress', { reason: 'complained' }, ['suppressed', 'kept']],
      ] as const) {
        const { id, address } = await person()
        await tenant.carryOut!(ask(contacts, id, act, wanted as never))
        await ended(id)
        const again = await imported(address.toUpperCase())
        expect(again).not.to.equal(id)
        expect(await outcomes(again), `${act} ${JSON.stringify(wanted)}`).to.deep.equal(left)
        await eventually(async () => expect((await get(again)).is_active).to.equal(false))
      }
  })

  it('a report about a mail concerns its address also after the contact was deleted or erased', async () => {
    for (const ended of [remove, erase]) {
      const { id, address } = await person()
      const { mail } = await mailTo(id)
      await ended(id)
      const again = await imported(address)
      await report(mail.returnPath, failed(address))
      await becomes(again, { email_suppression_reason: 'bounced' })
    }
  })

  it('one click in a mail unsubscribes its address, whoever has it by now', async () => {
    const { id, address } = await person()
    const { mail } = await mailTo(id)
    await remove(id)
    const again = await imported(address)
    const [, url = ''] = /<(http[^>]+)>/.exec(mail.headers['List-Unsubscribe'] ?? '') ?? []
    const answer = await fetch(url, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
    expect(answer.status).to.equal(200)
    await eventually(async () => expect((await get(again)).unsubscribed_at).not.to.equal(null))
  })

  it('what the person has said goes along to another address, and stays with it', async () => {
    const { id, address } = await person()
    await tenant.carryOut!(ask(contacts, id, 'unsubscribe', {}))
    await move(id, `new-${address}`)
    await eventually(async () => expect(await known(`new-${address}`)).to.have.length(1))
    await remove(id)
    expect(await outcomes(await imported(`new-${address}`))).to.deep.equal(['unsubscribed', 'kept'])
  })

  it('a report that names another recipient than its mail had says nothing', async () => {
    const { id, address } = await person()
    const { mailing, mail } = await mailTo(id)
    await report(mail.returnPath, failed('somebody@else.example'))
    await service.caughtUp()
    expect((await deliveriesOf(service, mailing))[0]).to.include({ status: 'kept', returned: null })
    expect((await get(id)).email_suppression_reason).to.equal(null)
    await report(mail.returnPath, failed(address.toUpperCase()))
    await becomes(id, { email_suppression_reason: 'bounced' })
  })

  it('is read, added to and lifted by the API, with its log', async () => {
    const { id, address } = await person()
    const path = `/workspaces/${tenant.workspaceId}/contacts/suppressions`
    const added = ok(
      await tenant.api.post(path, { contacts_suppression: { email_address: address, note: 'Asked by phone' } }),
    )
    expect(added).to.include({ reason: 'manual', unsubscribed_at: null })
    await becomes(id, { email_suppression_reason: 'manual' })
    expect(await outcomes(id)).to.deep.equal(['suppressed', 'kept'])
    expect(ok(await tenant.api.get(`/contacts/suppressions/${added.id}`)).contact).to.include({ id })
    const refused = await tenant.api.post(`/contacts/suppressions/${added.id}/lift`, {
      contacts_suppression: { note: '' },
    })
    expect(refused.status).to.equal(422)
    expect(JSON.stringify(refused.body)).to.match(/note/i)
    const lifted = ok(
      await tenant.api.post(`/contacts/suppressions/${added.id}/lift`, { contacts_suppression: { note: 'Called' } }),
    )
    expect(lifted.log.map(({ what, note }: { what: string; note: string }) => [what, note])).to.deep.equal([
      ['suppressed', 'Asked by phone'],
      ['lifted', 'Called'],
    ])
    await becomes(id, { email_suppression_reason: null, is_active: true })
    expect(await outcomes(id)).to.deep.equal(['kept', 'kept'])
  })

  it('who unsubscribed is not revived by lifting, but comes back by their own word', async () => {
    const { id, address } = await person()
    await tenant.carryOut!(ask(contacts, id, 'unsubscribe', {}))
    await remove(id)
    const again = await imported(address)
    await eventually(async () => expect((await get(again)).unsubscribed_at).not.to.equal(null))
    const [found] = await known(address)
    const answer = await tenant.api.post(`/contacts/suppressions/${found!.id}/lift`, {
      contacts_suppression: { note: 'I want to mail them' },
    })
    expect(answer.status).to.equal(422)
    expect(await outcomes(again)).to.deep.equal(['unsubscribed', 'kept'])
    const by = { by: 'preferences', form_submission_id: null, page_id: null } as const
    await tenant.carryOut!(ask(contacts, again, 'resubscribe', by))
    await eventually(async () => expect(await outcomes(again)).to.deep.equal(['kept', 'kept']))
  })

  it('is shown to the operator, who lifts it with a reason', async () => {
    const { id, address } = await person()
    await tenant.carryOut!(ask(contacts, id, 'suppress', { reason: 'bounced' }))
    await isKnown(address, 'bounced')
    const { suppressions } = service.background
    const of = { workspace_id: tenant.workspaceId, address }
    expect(await suppressions.show(of)).to.include({ reason: 'bounced' })
    expect(await suppressions.lift(of, ' ').catch((error: Error) => error.message)).to.match(/Note/)
    const lifted = await suppressions.lift(of, 'The server was broken')
    expect(lifted.reason).to.equal(null)
    expect(lifted.log.at(-1)).to.include({
      what: 'lifted',
      reason: 'bounced',
      note: 'The server was broken',
      by: 'operator',
    })
    await becomes(id, { email_suppression_reason: null })
    const unknown = { workspace_id: tenant.workspaceId, address: 'nobody@suppressed.example' }
    expect(await suppressions.show(unknown)).to.deep.include({ reason: null, log: [] })
    expect((await suppressions.lift(unknown, 'To be sure')).log).to.have.length(1)
  })

  it('ends at the workspace', async () => {
    const neighbour = await service.tenant()
    const { id, address } = await person()
    const [theirs = 0] = await createContacts(neighbour, [address])
    await tenant.carryOut!(ask(contacts, id, 'suppress', { reason: 'bounced' }))
    await isKnown(address, 'bounced')
    await service.caughtUp()
    expect(ok(await neighbour.api.get(`/contacts/${theirs}`)).email_suppression_reason).to.equal(null)
    const path = `/workspaces/${neighbour.workspaceId}/contacts/suppressions`
    expect((await neighbour.api.get(path)).body).to.deep.equal([])
    const [found] = await known(address)
    expect((await neighbour.api.get(`/contacts/suppressions/${found!.id}`)).status).to.equal(404)
  })
})
