import type { Decider } from '../../domain/kernel/deciding.ts'
import type { Engine } from '../../domain/kernel/engine.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RecordCommand } from '../../domain/kernel/rules.ts'
import { type Outcome, type Transaction, workerActor } from '../../domain/kernel/transaction.ts'
import type { WebhookParts } from './parts.ts'

/** A command, and what it is for. */
export interface Commanded extends Pick<Transaction, 'teamId' | 'eventIds' | 'once' | 'isNew'> {
  readonly aggregate: Decider
  readonly id: number
  readonly command: Omit<RecordCommand, 'id' | 'at' | 'actor'> & Partial<Pick<RecordCommand, 'id' | 'at'>>
  readonly workspaceId: number | undefined
  /** What it follows from, and belongs to: one id for both, unless they differ. */
  readonly cause: string
  readonly correlation?: string
}

type Came = ReturnType<Engine['transact']>

const ACTOR = workerActor('webhooks')

/** Carries out commands of the worker that tells subscribers what happened. */
export const commanding =
  ({ engine, now }: Pick<WebhookParts, 'engine' | 'now'>) =>
  ({ command, workspaceId, cause, correlation = cause, ...besides }: Commanded): Came =>
    engine.transact({
      ...besides,
      command: { id: besides.id, at: new Date(now(workspaceId)).toISOString(), actor: ACTOR, ...command },
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
