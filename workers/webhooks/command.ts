import type { Ask } from '../../domain/kernel/decide/ask.ts'
import { type CarryOut, desk } from '../../domain/kernel/engine/desk.ts'
import { type Outcome, type Transaction, workerActor } from '../../domain/kernel/engine/transaction.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** A command, and its cause. */
export interface Commanded extends Ask, Pick<Transaction, 'teamId' | 'eventIds' | 'once'> {
  /** Default: now. */
  readonly at?: string
  readonly workspaceId: number | undefined
  /** Causation id; also the correlation id, unless there is another. */
  readonly cause: string
  readonly correlation?: string
}

type CommandResult = ReturnType<CarryOut>

const ACTOR = workerActor('webhooks')

/** Returns a function that carries out commands as the webhook worker. */
export const commanding = ({ engine, now }: Pick<WebhookDeps, 'engine' | 'now'>) => {
  const carryOut = desk({ engine })
  return ({
    at,
    teamId,
    workspaceId,
    cause,
    correlation = cause,
    once,
    eventIds,
    ...asked
  }: Commanded): CommandResult =>
    carryOut(
      {
        ...{ actor: ACTOR, at: at ?? new Date(now(workspaceId)).toISOString() },
        ...{ teamId, workspaceId, cause, correlation },
      },
      asked,
      { ...(once && { claim: once }), ...(eventIds && { ids: eventIds }) },
    )
}

/** Returns the outcome of a command that is never refused and takes no claim. @throws {Refusal} or {Error} if it was or did */
export const settled = (result: Awaited<CommandResult>): Outcome => {
  if (result instanceof Refusal) throw result
  if ('repeatOf' in result) throw new Error('a command without a claim was taken for a repeat')
  return result
}
