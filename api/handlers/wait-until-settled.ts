import { setTimeout as sleep } from 'node:timers/promises'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'

/** How long an answer waits for what comes of a write elsewhere. */
const SETTLES_WITHIN_MS = 1000
const LOOKS_EVERY_MS = 20

/** 200 where what was asked for has come before the answer goes, be it elsewhere; otherwise the status that the operation has. */
export const settledStatus = async (service: Service, route: Route, id: number, status: number): Promise<number> => {
  const { settled } = route.operation as WriteOperation
  const until = Date.now() + SETTLES_WITHIN_MS
  while (settled && Date.now() < until) {
    const document = await service.live.get(route.resource.name, id)
    if (document && settled(document)) return 200
    await sleep(LOOKS_EVERY_MS)
  }
  return status
}
