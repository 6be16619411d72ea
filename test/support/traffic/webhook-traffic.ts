import { setTimeout as wait } from 'node:timers/promises'
import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import { endpoints as endpointDecider } from '../../../domain/webhooks/endpoint/rules.ts'
import { ok } from '../client.ts'
import { startReceiver } from '../servers/receiver.ts'
import type { Tenant, TestService } from '../service.ts'

const PATIENCE_MS = 10_000
const ROOT = 'webhooks_outgoing_endpoint'

const endpoints = ({ workspaceId }: Tenant): string => `/workspaces/${workspaceId}/webhooks/outgoing/endpoints`

const eventually = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (const started = Date.now(); Date.now() - started < PATIENCE_MS; await wait(10)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error('what webhooks should have led to did not come')
}

interface ShownEvent {
  readonly id: number
  readonly deliveries: readonly { readonly endpoint_id: number; readonly status: string }[]
}

/** Waits until the newest event for an endpoint has this delivery status. @returns it */
const deliveryOf = ({ api, workspaceId }: Tenant, endpointId: number, status: string): Promise<ShownEvent> =>
  eventually(async () => {
    const path = `/workspaces/${workspaceId}/webhooks/outgoing/events?sort_order=desc`
    const events = ok(await api.get(path)) as readonly ShownEvent[]
    return events.find(({ deliveries }) =>
      deliveries.some((one) => one.endpoint_id === endpointId && one.status === status),
    )
  })

/** Creates an outgoing event that is never attempted: a ping of a disabled endpoint. */
export const makeOutgoingEvent = async (tenant: Tenant): Promise<number> => {
  const fields = {
    url: 'https://hooks.example.com/',
    name: 'Off',
    event_type_ids: ['$contact.deleted'],
    enabled: false,
  }
  const { id } = ok(await tenant.api.post(endpoints(tenant), { [ROOT]: fields }))
  ok(await tenant.api.post(`/webhooks/outgoing/endpoints/${id}/ping`))
  return (await deliveryOf(tenant, id, 'abandoned')).id
}

/** Records the health of an endpoint as the worker would after days. */
const noteHealth = async ({ background }: TestService, tenant: Tenant, endpointId: number): Promise<void> => {
  const { engine } = background.core
  const stamp = { id: endpointId, at: new Date().toISOString(), actor: { label: 'worker:webhooks' } }
  const commands: readonly RecordCommand[] = [
    { type: 'noteFailing', wanted: { since: stamp.at }, ...stamp },
    { type: 'noteRecovered', wanted: {}, ...stamp },
  ]
  for (const command of commands) {
    const { teamId, workspaceId } = tenant
    const causes = { causationId: 'traffic', correlationId: 'traffic' }
    await engine.transact({ aggregate: endpointDecider, id: endpointId, command, teamId, workspaceId, ...causes })
  }
}

/** An endpoint receives events, fails, is changed and removed. No delivery is left to be retried at the end. */
export const webhookTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const { api, workspaceId } = tenant
  const receiver = await startReceiver()
  const close = service.background.outbound.exempt(new URL(receiver.url).origin)
  const fields = { url: receiver.url, name: 'Life', event_type_ids: ['$contact.created'] }
  const { id } = ok(await api.post(endpoints(tenant), { [ROOT]: fields }))
  const path = `/webhooks/outgoing/endpoints/${id}`
  const change = async (changes: object) => ok(await api.put(path, { [ROOT]: changes }))

  ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact: { first_name: 'Told' } }))
  const delivered = await deliveryOf(tenant, id, 'delivered')
  ok(await api.post(`/webhooks/outgoing/events/${delivered.id}/redeliver`))
  await receiver.until(2)
  await deliveryOf(tenant, id, 'delivered')
  const page = ok(await api.post(`/workspaces/${workspaceId}/pages`, { page: { name: 'Told of' } }))
  const funnel = ok(await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: 'Told of' } }))
  const scope = { page_ids: [page.id], funnel_ids: [funnel.public_id] }
  await change({ name: 'Lives', url: `${receiver.url}/again`, ...scope })
  await change({ event_type_ids: ['$contact.created', '$contact.deleted'], page_ids: null, funnel_ids: [] })
  ok(await api.post(`${path}/rotate_secret`))
  ok(await api.post(`${path}/end_former_secrets`))
  const since = { webhooks_outgoing_redelivery: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' } }
  ok(await api.post(`${path}/redeliver`, since))
  await noteHealth(service, tenant, id)

  receiver.behave((_received, response) => response.writeHead(500).end('not now'))
  ok(await api.post(`${path}/ping`))
  await receiver.until(3)
  await change({ enabled: false })
  await deliveryOf(tenant, id, 'abandoned')
  await change({ enabled: true })
  ok(await api.delete(path))
  close()
  await receiver.close()
}
