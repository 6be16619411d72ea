import type { Transaction } from '../domain/kernel/engine/transaction.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'

/** Returns the part of a transaction that a command takes over from the event that caused it. */
export const envelopeOf = ({
  id,
  metadata: { team_id: teamId, workspace_id: workspaceId, $correlationId },
}: RecordedEvent): Pick<Transaction, 'teamId' | 'workspaceId' | 'causationId' | 'correlationId'> => ({
  causationId: id,
  correlationId: $correlationId,
  ...(teamId !== undefined && { teamId }),
  ...(workspaceId !== undefined && { workspaceId }),
})
