import { asRecordCommand, type Decider, type FormerCommand } from '../decide/decider.ts'
import type { RecordCommand } from '../decide/rules.ts'
import type { ClaimToTake } from '../ports/event-log.ts'
import type { JsonObject, RecordedEvent, StoredFollowUps } from '../values/event.ts'
import { Refusal, refuse } from '../values/refusal.ts'
import type { Engine } from './engine.ts'
import type { Outcome, Repeated, Transaction } from './transaction.ts'

/**
 * A command of the same request for another stream. A request changes one stream; its commands for other streams follow,
 * exactly once. Every command is decided in a dry run before anything changes, so that one refusal refuses the whole request.
 * The first append stores the remaining commands, so that they are carried out even if the process dies in between.
 */
export interface FollowUp {
  readonly aggregate: Decider
  readonly id: number
  /** JSON-safe and without personal data, because it stays in the log. */
  readonly command: RecordCommand
}

type Envelope = Pick<Transaction, 'teamId' | 'workspaceId' | 'causationId' | 'correlationId'>

/** Lifetime of the claims: one day longer than the thirty days in which a request can be repeated under its idempotency key. */
const CLAIM_MS = 31 * 24 * 60 * 60 * 1000

/** Returns the claim which records that a command of a request has been carried out. */
const done = (key: string, index: number, { at }: RecordCommand): ClaimToTake => ({
  key: `follow-up:${key}:${index}`,
  until: Date.parse(at) + CLAIM_MS,
})

/** Note of that claim when the command was refused. */
const REFUSED = 'refused'

/**
 * Carries out one command of a request, unless that was done before. A refusal is final for this command and the later ones: the client has
 * received it as the answer, so none of them may be carried out afterwards by the reactor or a repeat of the request.
 */
const carryOut = async (
  engine: Engine,
  envelope: Envelope,
  key: string,
  index: number,
  followUps: readonly FollowUp[],
): Promise<Outcome | Repeated | Refusal> => {
  const { aggregate, id, command } = followUps[index]!
  const once = followUps.map((followUp, n) => done(key, n, followUp.command))
  const claimOnRefusal = once.slice(index).map((claim) => ({ ...claim, note: REFUSED }))
  const result = await engine.transact({ aggregate, id, command, ...envelope, once: once[index]!, claimOnRefusal })
  return 'repeatOf' in result && result.repeatOf.note === REFUSED ? refuse.conflict('it was refused before') : result
}

/** Carries out all commands in order, up to the first refusal. Returns a log position that is not before any of their events. */
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

/** Returns the index of the first command that would change something, or 0 when none would. The commands before it have no effect. */
const firstEffective = async (engine: Engine, steps: readonly Transaction[]): Promise<number | Refusal> => {
  let first: number | undefined
  for (const [index, step] of steps.entries()) {
    const decision = await engine.dryRun(step)
    if (decision instanceof Refusal) return decision
    if (decision.length > 0) first ??= index
  }
  return first ?? 0
}

const partlyDone = ({ message, details }: Refusal): Refusal => {
  const text = `Part of the request was carried out before the rest met a change made at the same moment: ${message}`
  return new Refusal('conflict', text, details.length > 0 ? details : refuse.conflict(text).details)
}

/** Carries out a command and its follow-ups as if they were one. Returns the outcome of the first that has an effect, or a refusal. */
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
  const begin = await firstEffective(engine, steps)
  if (begin instanceof Refusal) return begin
  const rest = followUps.slice(begin)
  const key = newKey()
  const remaining: StoredFollowUps = {
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
    ...(rest.length > 0 && { followUps: remaining }),
  })
  if (outcome instanceof Refusal || 'repeatOf' in outcome) return outcome
  const position = await carryOutAll(engine, envelope, key, rest)
  if (position instanceof Refusal) return partlyDone(position)
  return { ...outcome, position: Math.max(outcome.position, position) }
}

/**
 * Carries out the follow-ups that an event stores for its request, except those that were done already. Safe to repeat.
 *
 * @returns a log position that is not before any of their events, -1 when there are none, or the refusal that ended it
 */
export const finishFollowUps = (
  engine: Engine,
  aggregates: ReadonlyMap<string, Decider>,
  { metadata }: Pick<RecordedEvent, 'metadata'>,
): Promise<number | Refusal> => {
  const { follow_ups: stored, team_id, workspace_id } = metadata
  if (!stored) return Promise.resolve(-1)
  const followUps = stored.commands.map(({ aggregate, id, command }): FollowUp => {
    const known = aggregates.get(aggregate)
    if (!known) throw new Error(`the log holds a command for ${aggregate}, which this version does not know`)
    const former = command as FormerCommand
    return { aggregate: known, id, command: known.bringForward?.(former, id) ?? asRecordCommand(former) }
  })
  const envelope: Envelope = {
    causationId: metadata.$causationId,
    correlationId: metadata.$correlationId,
    ...(team_id !== undefined && { teamId: team_id }),
    ...(workspace_id !== undefined && { workspaceId: workspace_id }),
  }
  return carryOutAll(engine, envelope, stored.key, followUps)
}
