import { type Ask, stampCommand } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { redeemDiscount, releaseDiscount, reserveDiscount } from '../../../domain/store/public.ts'
import { ok } from '../client.ts'
import { nextId } from '../next-id.ts'
import { recordMakers } from '../records.ts'
import type { Tenant, TestService } from '../service.ts'

type Where = Pick<Tenant, 'teamId' | 'workspaceId'>

/** Executes the commands of policies and processes as workers do. Returns the id of the commanded record, or the refusal. */
export const executeCommand = ({ background }: Pick<TestService, 'background'>, { teamId, workspaceId }: Where) => {
  const { engine, ids, now } = background.core
  return async (asked: Ask): Promise<number | Refusal> => {
    const isNew = asked.id === 'new'
    const id = asked.id === 'new' ? await nextId(ids, asked.aggregate) : asked.id
    const cause = { causationId: 'checkout', correlationId: 'checkout' }
    const stamp = { at: new Date(now(workspaceId)).toISOString(), actor: { label: 'worker:checkout' } }
    const result = await engine.transact({ ...stampCommand(asked, stamp, id), isNew, teamId, workspaceId, ...cause })
    if (result instanceof Refusal) return result
    if (result.position >= 0) await background.reached(result.position, 5000)
    return id
  }
}

/** The commands that a checkout's process sends to redemptions. */
export const checkout = (service: Pick<TestService, 'background'>, where: Where) => {
  const asks = executeCommand(service, where)
  return {
    reserve: (discount_id: number, contact_id: number) =>
      asks(reserveDiscount({ discount_id, contact_id }, where.workspaceId)),
    redeem: (id: number, orderId: number) => asks(redeemDiscount(id, orderId)),
    release: (id: number) => asks(releaseDiscount(id)),
  }
}

/** The id that a command resulted in. @throws {Refusal} */
export const idOrThrow = (id: number | Refusal): number => {
  if (id instanceof Refusal) throw id
  return id
}

/** Life cycles of discounts: one is rescheduled and expired; one is reserved twice, redeemed and released. */
export const discountTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const maker = recordMakers.discount!
  const contact = await recordMakers.contact!.make(tenant)
  const change = async (id: number, fields: object) =>
    ok(await tenant.api.put(`/discounts/${id}`, { discount: fields }))
  const first = await maker.make(tenant)
  await change(first, { apply_until: '2999-01-01T00:00:00Z', percent: '15' })
  await change(first, { expired: true })
  const second = await maker.make(tenant)
  const { reserve, redeem, release } = checkout(service, tenant)
  idOrThrow(await redeem(idOrThrow(await reserve(second, contact)), 1))
  idOrThrow(await release(idOrThrow(await reserve(second, contact))))
}
