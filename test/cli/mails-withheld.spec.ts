import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { contacts } from '../../domain/contacts/public.ts'
import { beginMailing, type MailingRecord, mailing } from '../../domain/emails/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { eventually } from '../support/eventually.ts'
import { filling } from '../support/filled.ts'
import { fillMailings } from '../support/mailings.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'
import { carryingOut } from '../support/service.ts'
import { CONTENT } from '../workers/mail/mailing-tenant.ts'

describe('millrace mails list --withheld', function () {
  this.timeout(120_000)
  let data: string
  let contactId: number
  let service: Spawned

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-withheld-'))
    await filling(data, async (background) => {
      const { mailings, workspaceId } = await fillMailings(background, [['gone@cli.example'], ['fine@cli.example']])
      const owed = (await background.stores.readModels.live.get(mailing.name, mailings[0]!)) as unknown as MailingRecord
      contactId = owed.contact_ids[0]!
      const act = carryingOut(background, { teamId: Number(owed.team_id), workspaceId })
      await act(ask(contacts, contactId, 'suppress', { reason: 'bounced' }))
      const sender = { name: 'Shop', address: 'news@shop.example' }
      const advertised = { class: 'marketing' as const, kind: 'broadcast', cause: 'advertised', content: CONTENT }
      await act(beginMailing({ ...advertised, sender, contactIds: [contactId] }))
    })
    service = await hostMillrace(data, { MILLRACE_LOG_LEVEL: 'fatal', MILLRACE_DEMO: '0' })
  })
  after(async () => {
    await service?.stop()
    await rm(data, { recursive: true, force: true })
  })

  const list = async (...flags: readonly string[]) => (await millrace(['mails', 'list', '--data', data, ...flags])).out

  it('lists what was owed and kept back, and no advertising', async () => {
    await eventually(async () => expect(await list()).to.equal('There are none.\n'))
    const lines = (await list('--withheld', '--json')).trim().split('\n')
    expect(lines).to.have.length(1)
    expect(JSON.parse(lines[0]!)).to.include({
      ...{ kind: 'order_confirmation', owed: true, status: 'suppressed', contact_id: contactId },
    })
    expect(await list('--withheld')).to.match(
      /^MAIL +WORKSPACE +KIND +TO .*\n\d+ +\d+ +order_confirmation +contact \d+ +suppressed/,
    )
  })
})
