import { broadcast } from '../../../domain/emails/broadcast/model.ts'
import { broadcasts } from '../../../domain/emails/broadcast/rules.ts'
import { sendAction } from '../../../domain/emails/send-action/model.ts'
import { type Ask, ask, stampCommand, within } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { ok } from '../client.ts'
import { nextId } from '../next-id.ts'
import { broadcastFields, scheduled } from '../records/emails.ts'
import type { Tenant, TestService } from '../service.ts'

const TRIES = 50

/** Broadcasts are scheduled, taken back, paused and resumed, sent, ailing for a while, and canceled. */
export const broadcastTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const { api, workspaceId, teamId } = tenant
  const { engine, ids, now } = service.background.core
  const contact = { email_address: 'broadcast.life@example.com', first_name: 'Ann' }
  ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact }))
  const fields = await broadcastFields(tenant)
  const create = async () =>
    Number(ok(await api.post(`/workspaces/${workspaceId}/emails/broadcasts`, { emails_broadcast: fields })).id)

  const taken = await scheduled(tenant)
  ok(await api.post(`/emails/broadcasts/${taken.id}/pause`, undefined))
  ok(await api.post(`/emails/broadcasts/${taken.id}/resume`, undefined))
  await api.delete(`/emails/broadcasts/send_actions/${taken.action}`)
  ok(await api.put(`/emails/broadcasts/${taken.id}`, { emails_broadcast: { name: 'Renamed' } }))
  await api.delete(`/emails/broadcasts/${taken.id}`)

  /** Carries out a command at once, without waiting for what follows. */
  const act = async (asked: Ask, id: number): Promise<void> => {
    const stamp = { at: new Date(now(workspaceId)).toISOString(), actor: { label: 'worker:broadcasts' } }
    const cause = { causationId: 'traffic', correlationId: 'traffic' }
    const result = await engine.transact({ ...stampCommand(asked, stamp, id), teamId, workspaceId, ...cause })
    if (result instanceof Refusal && result.kind !== 'conflict') throw result
  }

  /** Begins to send a broadcast, and does something to it before a worker has sent it. */
  const catching = async (acted: (id: number, action: number) => Ask, status: string): Promise<number> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const id = await create()
      const action = await nextId(ids, sendAction)
      await act(ask(within(broadcasts, id, sendAction), action, 'create', {}), id)
      await act(acted(id, action), id)
      if ((await engine.records(broadcasts, id, -1)).root(broadcast)?.status === status) return id
    }
    throw new Error(`no broadcast became ${status}`)
  }

  const ailing = await catching((id) => ask(broadcasts, id, 'sicken', { reason: 'connection' }), 'unhealthy')
  await act(ask(broadcasts, ailing, 'recover', {}), ailing)
  await catching((id, action) => ask(within(broadcasts, id, sendAction), action, 'remove', {}), 'canceled')
}
