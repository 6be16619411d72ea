import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { Transaction } from '../domain/kernel/transaction.ts'

/** What a command that follows from an event is written with. */
export const envelopeOf = ({
  id,
  metadata: { team_id: teamId, workspace_id: workspaceId, $correlationId },
}: RecordedEvent): Pick<Transaction, 'teamId' | 'workspaceId' | 'causationId' | 'correlationId'> => ({
  causationId: id,
  correlationId: $correlationId,
  ...(teamId !== undefined && { teamId }),
  ...(workspaceId !== undefined && { workspaceId }),
})
