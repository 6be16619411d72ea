import { type Ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { type Outcome, type Transaction, workerActor } from '../../domain/kernel/engine/transaction.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** A command, and what it is for. */
export interface Commanded extends Ask, Pick<Transaction, 'teamId' | 'eventIds' | 'once'> {
  /** Default: now. */
  readonly at?: string
  readonly workspaceId: number | undefined
  /** What it follows from, and belongs to: one id for both, unless they differ. */
  readonly cause: string
  readonly correlation?: string
}

type Came = ReturnType<Engine['transact']>

const ACTOR = workerActor('webhooks')

/** Carries out commands of the worker that tells subscribers what happened. */
export const commanding =
  ({ engine, now }: Pick<WebhookDeps, 'engine' | 'now'>) =>
  ({ at, workspaceId, cause, correlation = cause, ...asked }: Commanded): Came =>
    engine.transact({
      ...asked,
      ...stampCommand(asked, { at: at ?? new Date(now(workspaceId)).toISOString(), actor: ACTOR }),
      ...(workspaceId !== undefined && { workspaceId }),
      causationId: cause,
      correlationId: correlation,
    })

/** What a command came to that nobody can refuse and that takes no claim. @throws {Refusal} or {Error} when it did */
export const settled = (result: Awaited<Came>): Outcome => {
  if (result instanceof Refusal) throw result
  if ('repeatOf' in result) throw new Error('a command without a claim was taken for a repeat')
  return result
}
