import type { Engine } from '../../domain/kernel/engine/engine.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { inStretches } from '../../domain/kernel/ports/read-on.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import { invoice, orders, placeOf } from '../../domain/orders/public.ts'

/** Checkpoint that says it is done. An archive of a former version does not have it. */
const DONE = 'invoice-numbers'
const AT_ONCE = 1000

interface Deps {
  readonly engine: Pick<Engine, 'claimKey'>
  readonly log: Pick<EventLog, 'append' | 'counters' | 'lastPosition'>
  readonly live: Pick<ReadModels, 'find'>
  readonly checkpoints: Pick<Checkpoints, 'get' | 'set'>
}

async function* invoicesIn(live: Deps['live']): AsyncGenerator<Document> {
  const all = inStretches((next) => live.find(invoice.name, next), { where: {}, limit: AT_ONCE })
  for await (const some of all) yield* some
}

/**
 * Claims the invoice numbers that were set by hand before numbers were claimed, as far as their turn is still to come, so that they are passed over.
 * One that several invoices have stays with all of them.
 */
export const claimNumbersSetByHand = async ({ engine, log, live, checkpoints }: Deps): Promise<void> => {
  if ((await checkpoints.get(DONE)) >= 0) return
  const given = new Map<string, number>()
  for await (const { counter, value } of log.counters.all()) given.set(counter, value)
  for await (const one of invoicesIn(live)) {
    const { invoice_number, workspace_id, order_id } = one
    const place = typeof invoice_number === 'string' ? placeOf(invoice_number) : undefined
    if (!place) continue
    const scope = `${place.scope}:${workspace_id}`
    if (place.value <= (given.get(scope) ?? 0)) continue
    const key = engine.claimKey({ scope, value: String(place.value) })
    await log.append({ stream: streamOf(orders, Number(order_id)), expected: 'any', events: [], take: [{ key }] })
  }
  const last = await log.lastPosition()
  if (last >= 0) await checkpoints.set(DONE, last)
}
