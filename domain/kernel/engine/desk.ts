import { type Ask, instanceOf, stampCommand } from '../decide/ask.ts'
import type { Place } from '../decide/bound-reader.ts'
import type { Actor } from '../decide/command.ts'
import type { ClaimToTake } from '../ports/event-log.ts'
import type { RecordedEvent } from '../values/event.ts'
import { type Ids, type MintId, mintFrom, withIds } from '../values/ids.ts'
import { Refusal } from '../values/refusal.ts'
import type { Engine } from './engine.ts'
import type { Outcome, Repeated, Transaction } from './transaction.ts'

/** Why, when, where and by whom a command is asked for. */
export interface Occasion extends Place {
  readonly actor: Actor
  /** ISO 8601. */
  readonly at: string
  /** A request, an event, or a task that goes on by itself: `job:<name>:<id>`. */
  readonly cause: string
  /** What the cause followed from; default: the cause itself. */
  readonly correlation?: string
}

/**
 * By what a repeat is known: a claim, or the ids of the events. Where there are both, a new instance takes the claim, and an existing one the ids. Names of
 * claims and ids are stored formats.
 */
export interface Once {
  readonly claim?: ClaimToTake
  ids?(index: number): string
}

/** What came of a command, and the id of the instance, which may be new. */
export type CarriedOut = (Outcome | Repeated) & { readonly id: number }

/** Carries out commands. Nothing else does. */
export type CarryOut = (
  occasion: Occasion,
  asked: Ask | ((mint: MintId) => Ask),
  once?: Once,
) => Promise<CarriedOut | Refusal>

/** Returns the occasion that an event is for what follows from it. */
export const becauseOf = (
  { id, metadata: { team_id, workspace_id, $correlationId } }: RecordedEvent,
  { actor, at }: Pick<Occasion, 'actor' | 'at'>,
): Occasion => ({ actor, at, cause: id, correlation: $correlationId, teamId: team_id, workspaceId: workspace_id })

const repeatable = ({ claim, ids }: Once, isNew: boolean): Pick<Transaction, 'once' | 'eventIds'> => {
  if (claim && (isNew || !ids)) return { once: claim }
  return ids ? { eventIds: ids } : {}
}

const NEVER: Once = {}

const noIds: MintId = ({ name }) => {
  throw new Error(`there is nothing to mint an id of ${name} with`)
}

export interface DeskDeps {
  readonly engine: Pick<Engine, 'transact'>
  /** For new instances. */
  readonly ids?: Ids
}

/** Returns the desk over an engine: what carries out commands, whatever occasion they are asked for on. */
export const desk = ({ engine, ids }: DeskDeps): CarryOut => {
  const mint = ids ? mintFrom(ids) : noIds
  return (occasion, asking, once = NEVER) => {
    const { actor, at, cause, correlation = cause, teamId, workspaceId } = occasion
    const work = async (): Promise<CarriedOut | Refusal> => {
      const asked = typeof asking === 'function' ? asking(mint) : asking
      const { id, isNew } = instanceOf(asked, mint)
      const result = await engine.transact({
        ...stampCommand(asked, { at, actor }, id),
        ...{ isNew, causationId: cause, correlationId: correlation },
        ...(teamId !== undefined && { teamId }),
        ...(workspaceId !== undefined && { workspaceId }),
        ...asked.of,
        ...repeatable(once, isNew),
      })
      return result instanceof Refusal ? result : { ...result, id }
    }
    return ids ? withIds(ids, work) : work()
  }
}
