import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'

/** Time for which an answer waits for the effect of a write on other streams. */
const SETTLES_WITHIN_MS = 1000
const LOOKS_EVERY_MS = 20

/**
 * Waits up to a second for the effect of a write, if the operation declares one. Returns 200 when it has come, a refusal when
 * it cannot come, otherwise the given status.
 */
export const settledStatus = async (
  service: Service,
  route: Route,
  id: number,
  status: number,
): Promise<number | Refusal> => {
  const { settled } = route.operation as WriteOperation
  const until = Date.now() + SETTLES_WITHIN_MS
  while (settled && Date.now() < until) {
    const document = await service.everywhere.get(route.resource.name, id)
    const result = document ? settled(document) : false
    if (result instanceof Refusal) return result
    if (result) return 200
    await sleep(LOOKS_EVERY_MS)
  }
  return status
}
