import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RecordCommand } from '../../domain/kernel/rules.ts'
import { workerActor } from '../../domain/kernel/transaction.ts'
import { outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import type { Work } from './lane.ts'
import { type WebhookParts, whenReadable } from './parts.ts'
import type { Queue } from './queue.ts'

export type ClosingReason = 'endpoint_disabled' | 'endpoint_removed'

const PAGE = 128

/** Abandons everything that an endpoint has yet to get; may be cut off anywhere and begun again. */
export const abandonAll = async (
  parts: WebhookParts,
  queue: Queue,
  endpointId: number,
  reason: ClosingReason,
  isOver: () => boolean,
): Promise<void> => {
  const { engine, now } = parts
  const abandon = async ({ delivery, event }: Work): Promise<number> => {
    const command: RecordCommand = {
      type: 'abandon',
      child: 'deliveries',
      id: delivery.id,
      wanted: { reason },
      at: new Date(now()).toISOString(),
      actor: workerActor('webhooks'),
    }
    const result = await engine.transact({
      aggregate: outgoingEvents,
      id: event.id,
      command,
      workspaceId: event.workspace_id,
      causationId: event.uuid,
      correlationId: event.uuid,
    })
    if (result instanceof Refusal) throw result
    return 'position' in result ? result.position : -1
  }
  for (let after = 0; !isOver(); ) {
    const page = await queue.pending(endpointId, after, PAGE)
    if (page.length === 0) return
    const positions = await Promise.all(page.map(abandon))
    after = page.at(-1)!.delivery.id
    await whenReadable(parts, Math.max(...positions), isOver)
  }
}
