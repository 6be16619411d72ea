import { stocks } from '../../../domain/inventory/stock/rules.ts'
import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import { ok } from '../client.ts'
import { recordMakers } from '../records.ts'
import type { Tenant, TestService } from '../service.ts'

const HOUR_MS = 60 * 60 * 1000

/** Stock is counted, reserved for orders, released, sent and returned. */
export const stockTraffic = async (tenant: Tenant, { background }: TestService): Promise<void> => {
  const { teamId, workspaceId, api } = tenant
  const id = await recordMakers['fulfillments/stock']!.make(tenant)
  const path = `/fulfillments/stocks/${id}`
  const [{ location_id }] = ok(await api.get(path)).levels
  const levels = [{ location_id, quantity: 20 }]
  ok(await api.put(path, { fulfillments_stock: { levels } }))
  ok(await api.post(`${path}/restock`, { fulfillments_stock: { location_id, quantity: 5 } }))
  const now = background.core.now(workspaceId)
  const tell = async (type: string, wanted: RecordCommand['wanted'], after = 0) => {
    const at = new Date(now + after).toISOString()
    const command = { type, id, workspaceId, wanted, at, actor: { label: 'worker:checkout' } }
    const causes = { causationId: 'traffic', correlationId: 'traffic' }
    await background.core.engine.transact({ aggregate: stocks, id, command, teamId, workspaceId, ...causes })
  }
  await tell('reserve', { order_id: 1, quantity: 2 })
  await tell('commit', { order_id: 1, quantity: 2 })
  await tell('reserve', { order_id: 2, quantity: 3 })
  await tell('release', { order_id: 2, quantity: 1 })
  await tell('lapse', {}, HOUR_MS)
  await tell('commit', { order_id: 1, quantity: 4 })
  await tell('putBack', { order_id: 1, restock_id: 1, quantity: 2 })
  await tell('keepAgain', { restock_id: 1 })
  const taken = { fulfillment_id: 1, location_id, quantity: 2, orders: [{ order_id: 1, quantity: 2 }] }
  await tell('take', taken)
  await tell('giveBack', taken)
}
