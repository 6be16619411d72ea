import { asRecordCommand, type Decider, type FormerCommand } from '../decide/decider.ts'
import type { RecordCommand } from '../decide/rules.ts'
import type { ClaimTaken } from '../ports/event-log.ts'
import type { FollowUpsKept, JsonObject, RecordedEvent } from '../values/event.ts'
import { Refusal, refuse } from '../values/refusal.ts'
import type { Engine } from './engine.ts'
import type { Outcome, Repeated, Transaction } from './transaction.ts'

/**
 * A command of the same request for another stream. A request changes one stream; what it asks of others follows, once and
 * surely: every command is rehearsed before anything is changed, so that a refusal refuses the whole request, and the first
 * append keeps those that come after it, so that they are carried out although the process may die in between.
 */
export interface FollowUp {
  readonly aggregate: Decider
  readonly id: number
  /** JSON-safe, and nothing personal in it: it stays in the log. */
  readonly command: RecordCommand
}

type Envelope = Pick<Transaction, 'teamId' | 'workspaceId' | 'causationId' | 'correlationId'>

/** For longer nobody asks: a repeat under the same idempotency key has thirty days. */
const KEPT_MS = 31 * 24 * 60 * 60 * 1000

/** What says that a command of a request has been carried out. */
const done = (key: string, index: number, { at }: RecordCommand): ClaimTaken => ({
  key: `follow-up:${key}:${index}`,
  until: Date.parse(at) + KEPT_MS,
})

/** Stands with what says so where the command was refused. */
const REFUSED = 'refused'

/**
 * Carries out one command of a request that has begun, unless that was done before. Its refusal is final, for it and for those behind it: whoever
 * asked has been told, and what was refused then must not come about when somebody else looks after it later.
 */
const carryOut = async (
  engine: Engine,
  envelope: Envelope,
  key: string,
  index: number,
  followUps: readonly FollowUp[],
): Promise<Outcome | Repeated | Refusal> => {
  const { aggregate, id, command } = followUps[index]!
  const once = followUps.map((one, n) => done(key, n, one.command))
  const claimOnRefusal = once.slice(index).map((claim) => ({ ...claim, note: REFUSED }))
  const result = await engine.transact({ aggregate, id, command, ...envelope, once: once[index]!, claimOnRefusal })
  return 'repeatOf' in result && result.repeatOf.note === REFUSED ? refuse.conflict('it was refused before') : result
}

/** Every command in turn; ends with the first refusal. Gives the position in the log behind all of them. */
const carryOutAll = async (
  engine: Engine,
  envelope: Envelope,
  key: string,
  followUps: readonly FollowUp[],
): Promise<number | Refusal> => {
  let position = -1
  for (const index of followUps.keys()) {
    const result = await carryOut(engine, envelope, key, index, followUps)
    if (result instanceof Refusal) return result
    position = Math.max(position, result.position)
  }
  return position
}

/** The first command that would change something, and those after it; the rest say nothing new. */
const effective = async (engine: Engine, steps: readonly Transaction[]): Promise<number | Refusal> => {
  let first: number | undefined
  for (const [index, step] of steps.entries()) {
    const decision = await engine.dryRun(step)
    if (decision instanceof Refusal) return decision
    if (decision.length > 0) first ??= index
  }
  return first ?? 0
}

const metByAnother = ({ message, details }: Refusal): Refusal => {
  const text = `Part of the request was carried out before the rest met a change made at the same moment: ${message}`
  return new Refusal('conflict', text, details.length > 0 ? details : refuse.conflict(text).details)
}

/** A command with what follows from the same request in other streams, as if it were one. */
export const transactTogether = async (
  engine: Engine,
  first: Transaction,
  followUps: readonly FollowUp[],
  newKey: () => string,
): Promise<Outcome | Repeated | Refusal> => {
  if (followUps.length === 0) return engine.transact(first)
  const { teamId, workspaceId, causationId, correlationId, once } = first
  const envelope: Envelope = {
    causationId,
    correlationId,
    ...(teamId !== undefined && { teamId }),
    ...(workspaceId !== undefined && { workspaceId }),
  }
  const steps = [first, ...followUps.map((next): Transaction => ({ ...next, ...envelope }))]
  const begin = await effective(engine, steps)
  if (begin instanceof Refusal) return begin
  const rest = followUps.slice(begin)
  const key = newKey()
  const kept: FollowUpsKept = {
    key,
    commands: rest.map(({ aggregate, id, command }) => ({
      aggregate: aggregate.name,
      id,
      command: command as unknown as JsonObject,
    })),
  }
  const outcome = await engine.transact({
    ...steps[begin]!,
    ...(once && { once }),
    ...(rest.length > 0 && { followUps: kept }),
  })
  if (outcome instanceof Refusal || 'repeatOf' in outcome) return outcome
  const position = await carryOutAll(engine, envelope, key, rest)
  if (position instanceof Refusal) return metByAnother(position)
  return { ...outcome, position: Math.max(outcome.position, position) }
}

/**
 * Carries out what an event says its request still had to do, as far as that was not done; harmless to repeat.
 *
 * @returns a position in the log behind it, -1 when there is nothing, or the refusal that ended it
 */
export const finishFollowUps = (
  engine: Engine,
  aggregates: ReadonlyMap<string, Decider>,
  { metadata }: Pick<RecordedEvent, 'metadata'>,
): Promise<number | Refusal> => {
  const { follow_ups: kept, team_id, workspace_id } = metadata
  if (!kept) return Promise.resolve(-1)
  const followUps = kept.commands.map(({ aggregate, id, command }): FollowUp => {
    const known = aggregates.get(aggregate)
    if (!known) throw new Error(`the log holds a command for ${aggregate}, which this version does not know`)
    const kept = command as FormerCommand
    return { aggregate: known, id, command: known.bringForward?.(kept, id) ?? asRecordCommand(kept) }
  })
  const envelope: Envelope = {
    causationId: metadata.$causationId,
    correlationId: metadata.$correlationId,
    ...(team_id !== undefined && { teamId: team_id }),
    ...(workspace_id !== undefined && { workspaceId: workspace_id }),
  }
  return carryOutAll(engine, envelope, kept.key, followUps)
}
