import { beginMailing, delivery, mailing, mailings } from '../../../domain/emails/public.ts'
import { type Ask, ask, stampCommand, within } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { ok } from '../client.ts'
import { nextId } from '../next-id.ts'
import type { Tenant, TestService } from '../service.ts'

const CONTENT = {
  ...{ subject: 'News', preheadline: null, html_body: '<p>Hello {{ contact.first_name }}</p>', text_body: null },
  ...{ footer: null, tracks_opens: false, tracks_clicks: false },
}
const TRIES = 50

let causes = 0

/** Mailings are handed over, held and released, paused and resumed; a mail is in doubt, and sent again. */
export const mailingTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const { api, workspaceId, teamId } = tenant
  for (const warm_up of ['no', 'default']) await service.background.mailRates.order({ warm_up })
  const { engine, ids, now } = service.background.core
  const fields = { email_address: 'mailing.life@example.com' }
  const { id: contactId } = ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact: fields }))
  await service.caughtUp()

  /** Carries out a command at once, without waiting for what follows. */
  const act = async (asked: Ask, id: number, isNew = false, laterMs = 0): Promise<void> => {
    const stamp = { at: new Date(now(workspaceId) + laterMs).toISOString(), actor: { label: 'worker:mails' } }
    const cause = { causationId: 'traffic', correlationId: 'traffic' }
    const result = await engine.transact({ ...stampCommand(asked, stamp, id), isNew, teamId, workspaceId, ...cause })
    if (result instanceof Refusal) throw result
  }
  const statusOf = async (id: number) => (await engine.records(mailings, id, -1)).root(mailing)?.status

  /** Begins a mailing, and does something to it before a worker hands it over. @returns its id and that of its delivery */
  const catching = async (acted: (id: number) => Ask, status: string) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const id = await nextId(ids, mailing)
      const wanted = beginMailing({
        ...{ class: 'owed', kind: 'order_confirmation', cause: `traffic-${++causes}`, content: CONTENT },
        ...{ sender: { name: 'Shop', address: 'news@shop.example' }, contactIds: [contactId] },
      })
      await act(wanted, id, true)
      await act(acted(id), id)
      if ((await statusOf(id)) !== status) continue
      const [one] = (await engine.records(mailings, id, -1)).all(delivery)
      return { id, deliveryId: one!.id }
    }
    throw new Error(`no mailing became ${status}`)
  }

  const held = await catching((id) => ask(mailings, id, 'hold', { reason: 'older_copy' }), 'held')
  await act(ask(mailings, held.id, 'release', {}), held.id)
  const doubted = await catching((id) => ask(mailings, id, 'hold', { reason: 'older_copy' }), 'held')
  const outcomes = [{ delivery_id: doubted.deliveryId, outcome: 'in_doubt' as const, reason: 'interrupted' }]
  await act(ask(mailings, doubted.id, 'record', { outcomes, take: [] }), doubted.id)
  const place = within(mailings, doubted.id, delivery)
  await act(ask(place, doubted.deliveryId, 'settleDoubt', { outcome: 'sent' }), doubted.id)
  await act(ask(place, doubted.deliveryId, 'fetch', { link: 0, machine: false }), doubted.id, false, 60_000)
  await act(ask(place, doubted.deliveryId, 'judge', {}), doubted.id, false, 60_000)
  await act(ask(place, doubted.deliveryId, 'comeBack', { returned: 'refused', status: '5.7.1' }), doubted.id)
  await act(ask(place, doubted.deliveryId, 'complain', {}), doubted.id)
  await act(ask(place, doubted.deliveryId, 'leave', {}), doubted.id)
  const sale = { order_id: 1, amount: '18.00', currency: 'USD' }
  await act(ask(place, doubted.deliveryId, 'sell', sale), doubted.id)
  const again = await catching((id) => ask(mailings, id, 'hold', { reason: 'older_copy' }), 'held')
  const failed = [{ delivery_id: again.deliveryId, outcome: 'failed' as const, reason: 'rendering' }]
  await act(ask(mailings, again.id, 'record', { outcomes: failed, take: [] }), again.id)
  await act(ask(within(mailings, again.id, delivery), again.deliveryId, 'sendAgain', {}), again.id)
  const until = new Date(now(workspaceId) + 86_400_000).toISOString()
  const paused = await catching((id) => ask(mailings, id, 'pause', { reason: 'connection', until }), 'paused')
  const sent = [{ delivery_id: paused.deliveryId, outcome: 'sent' as const }]
  await act(ask(mailings, paused.id, 'record', { outcomes: sent, take: [] }), paused.id)
}
