import type { Actor } from '../decide/command.ts'
import type { Decider } from '../decide/decider.ts'
import type { RecordCommand } from '../decide/rules.ts'
import type { Claim, ClaimTaken } from '../ports/event-log.ts'
import type { DomainEvent, FollowUpsKept, NewEvent } from '../values/event.ts'

/** What a command is carried out with. */
export interface Transaction {
  readonly aggregate: Decider
  readonly id: number
  readonly command: RecordCommand
  readonly teamId?: number
  readonly workspaceId?: number
  /** What the command follows from: a request id or the id of an event. */
  readonly causationId: string
  readonly correlationId: string
  /** The caller knows that the stream is new: nothing is read before the decision. */
  readonly isNew?: boolean
  /** Only carry it out when the record of this model last changed at this revision of the stream. */
  readonly ifRevision?: { readonly model: string; readonly id: number; readonly revision: number }
  /** Taken together with the events, whatever they are: what makes a request repeatable. */
  readonly once?: ClaimTaken
  /** Taken without an event where the command is refused: what says that neither it nor what was to come after it is ever carried out. */
  readonly claimOnRefusal?: readonly ClaimTaken[]
  /** Derives event ids from the cause, so that a repeat appends nothing; without it ids are random. */
  readonly eventIds?: (index: number) => string
  /** What the request does in other streams afterwards: kept with the last event, so that it is done even after a crash. */
  readonly followUps?: FollowUpsKept
}

/** What came of a command. */
export interface Outcome {
  /** Revision of the stream after the command, and position in the log up to which the read models must get. */
  readonly revision: number
  readonly position: number
  /** What happened, with personal data in the clear; empty when the state already said so. */
  readonly events: readonly DomainEvent[]
}

/** The claim given as `once` was held already: the same request was carried out before. */
export interface Repeated {
  readonly repeatOf: Claim
  /** A position in the log behind the first time. */
  readonly position: number
}

/** Where an event stands in its write, and whose its personal part is. */
interface Placed {
  readonly index: number
  readonly count: number
  readonly of: number | undefined
}

/** An event with what the log keeps around it. */
export const enveloped = (
  transaction: Transaction,
  event: DomainEvent,
  { index, count, of }: Placed,
  newEventId: () => string,
): NewEvent => {
  const { command, aggregate, teamId, workspaceId, followUps } = transaction
  const version = (aggregate.events[event.type]?.length ?? 0) + 1
  return {
    id: transaction.eventIds?.(index) ?? newEventId(),
    type: event.type,
    data: event.data,
    metadata: {
      at: command.at,
      actor: command.actor.label,
      $correlationId: transaction.correlationId,
      $causationId: transaction.causationId,
      ...(teamId !== undefined && { team_id: teamId }),
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
      ...(of !== undefined && { of }),
      ...(version > 1 && { v: version }),
      ...(followUps && index === count - 1 && { follow_ups: followUps }),
    },
  }
}

/** The actor of a worker's commands. */
export const workerActor = (name: string): Actor => ({ label: `worker:${name}` })
