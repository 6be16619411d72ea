import type { Actor } from '../decide/command.ts'
import type { Decider } from '../decide/decider.ts'
import type { RecordCommand } from '../decide/rules.ts'
import type { Claim, ClaimToTake } from '../ports/event-log.ts'
import type { DomainEvent, NewEvent, StoredFollowUps } from '../values/event.ts'

/** A command for one stream, with everything that the engine needs to carry it out. */
export interface Transaction {
  readonly aggregate: Decider
  readonly id: number
  readonly command: RecordCommand
  readonly teamId?: number
  readonly workspaceId?: number
  /** Cause of the command: a request id or the id of an event. */
  readonly causationId: string
  readonly correlationId: string
  /** The caller knows that the stream is new, so nothing is read before the decision. */
  readonly isNew?: boolean
  /** Refuses the command unless the record last changed at one of these revisions of the stream. */
  readonly ifRevision?: { readonly model: string; readonly id: number; readonly revisions: readonly number[] }
  /** The caller has made sure that the records which the command names are of its workspace. */
  readonly referencesChecked?: true
  /** Claim that is taken with the events, even if there are none. It makes the request repeatable. */
  readonly once?: ClaimToTake
  /** Claims that are taken without events when the command is refused. They keep it and its later follow-ups from ever being carried out. */
  readonly claimOnRefusal?: readonly ClaimToTake[]
  /** Derives event ids from the cause, so that a repeat appends nothing. Default: random ids. */
  readonly eventIds?: (index: number) => string
  /** Commands of the request for other streams. They are stored with the last event, so that they are carried out even after a crash. */
  readonly followUps?: StoredFollowUps
}

/** Result of a command that was carried out. */
export interface Outcome {
  /** Revision of the stream after the command. */
  readonly revision: number
  /** Position in the log that read models must reach to show the command's effect; -1 when nothing was appended. */
  readonly position: number
  /** New events, with personal data in the clear; empty when the command changes nothing. */
  readonly events: readonly DomainEvent[]
}

/** Result of a repeated request: the claim `once` was held already. */
export interface Repeated {
  readonly repeatOf: Claim
  /** Position in the log that is not before the events of the first time. */
  readonly position: number
}

/** Position of an event in its write, with the person whom its personal part is about. */
interface EventInWrite {
  readonly index: number
  readonly of: number | undefined
}

/** Returns an event with its id and metadata. */
export const toNewEvent = (
  transaction: Transaction,
  event: DomainEvent,
  { index, of }: EventInWrite,
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
      // With the first, so that they are done before anything reacts to any of the events.
      ...(followUps && index === 0 && { follow_ups: followUps }),
    },
  }
}

/** Returns the actor of a worker's commands. */
export const workerActor = (name: string): Actor => ({ label: `worker:${name}` })
