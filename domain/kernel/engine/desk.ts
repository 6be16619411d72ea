import { type Ask, instanceOf, stampCommand } from '../decide/ask.ts'
import type { Place } from '../decide/bound-reader.ts'
import type { Actor } from '../decide/command.ts'
import type { RecordedEvent } from '../values/event.ts'
import { type Ids, type MintId, mintFrom, withIds } from '../values/ids.ts'
import type { Refusal } from '../values/refusal.ts'
import type { Engine } from './engine.ts'
import type { Outcome, Repeated } from './transaction.ts'

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

/** By what a repeat is known: the claim of a new instance, and the ids of the events of an existing one. Both are stored formats. */
export interface Once {
  readonly claim?: string
  ids?(index: number): string
}

/** Carries out commands. Nothing else does. */
export type CarryOut = (
  occasion: Occasion,
  asked: Ask | ((mint: MintId) => Ask),
  once?: Once,
) => Promise<Outcome | Repeated | Refusal>

/** Returns the occasion that an event is for what follows from it. */
export const becauseOf = (
  { id, metadata: { team_id, workspace_id, $correlationId } }: RecordedEvent,
  { actor, at }: Pick<Occasion, 'actor' | 'at'>,
): Occasion => ({
  ...{ actor, at, cause: id, correlation: $correlationId },
  ...(team_id !== undefined && { teamId: team_id }),
  ...(workspace_id !== undefined && { workspaceId: workspace_id }),
})

/** Returns the desk over an engine. */
export const desk =
  ({ engine, ids }: { readonly engine: Pick<Engine, 'transact'>; readonly ids: Ids }): CarryOut =>
  ({ actor, at, cause, correlation = cause, teamId, workspaceId }, asking, { claim, ids: eventIds } = {}) =>
    withIds(ids, () => {
      const mint = mintFrom(ids)
      const asked = typeof asking === 'function' ? asking(mint) : asking
      const { id, isNew } = instanceOf(asked, mint)
      return engine.transact({
        ...stampCommand(asked, { at, actor }, id),
        ...{ isNew, causationId: cause, correlationId: correlation },
        ...(teamId !== undefined && { teamId }),
        ...(workspaceId !== undefined && { workspaceId }),
        ...asked.of,
        ...(isNew ? claim !== undefined && { once: { key: claim } } : eventIds && { eventIds }),
      })
    })
