import { type Ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
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

type TransactResult = ReturnType<Engine['transact']>

const ACTOR = workerActor('webhooks')

/** Returns a function that carries out commands as the webhook worker. */
export const commanding =
  ({ engine, now }: Pick<WebhookDeps, 'engine' | 'now'>) =>
  ({ at, workspaceId, cause, correlation = cause, ...ask }: Commanded): TransactResult =>
    engine.transact({
      ...ask,
      ...stampCommand(ask, { at: at ?? new Date(now(workspaceId)).toISOString(), actor: ACTOR }),
      ...(workspaceId !== undefined && { workspaceId }),
      causationId: cause,
      correlationId: correlation,
    })

/** Returns the outcome of a command that is never refused and takes no claim. @throws {Refusal} or {Error} if it was or did */
export const settled = (result: Awaited<TransactResult>): Outcome => {
  if (result instanceof Refusal) throw result
  if ('repeatOf' in result) throw new Error('a command without a claim was taken for a repeat')
  return result
}
