import { randomUUID } from 'node:crypto'
import { delivery, type MailingRecord, mailing } from '../../domain/emails/mailing/model.ts'
import { runOfCause } from '../../domain/emails/mailing/purpose.ts'
import { mailings } from '../../domain/emails/mailing/rules.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { DomainEvent, JsonObject } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'
import { correlationOf } from '../runs/command.ts'
import type { MailDeps } from './mail-deps.ts'

const ACTOR = workerActor('mail')

/** Asks a mailing for an act of the dispatcher, however long a store is unavailable. @returns what happened */
export type Recorder = (
  mailing: Pick<MailingRecord, 'id' | 'workspace_id' | 'team_id' | 'cause'>,
  act: 'record' | 'pause' | 'hold' | 'chooseSender',
  wanted: JsonObject,
  isOver: () => boolean,
) => Promise<readonly DomainEvent[]>

const TAKEN = mailing.event.DeliveriesTaken.type

/** Returns which deliveries are taken after a record. A repeat of one whose answer was lost has no events: the deliveries say it then. */
export const takenOf = async (
  { engine }: Pick<MailDeps, 'engine'>,
  mailingId: number,
  take: readonly number[],
  events: readonly DomainEvent[],
): Promise<ReadonlySet<unknown>> => {
  const told = new Set(events.flatMap(({ type, data }) => (type === TAKEN ? data.delivery_ids : [])))
  if (take.every((id) => told.has(id))) return told
  const records = await engine.records(mailings, mailingId, 0)
  const wanted = new Set(take)
  const taken = records.all(delivery).filter(({ id, status }) => wanted.has(id) && status === 'taken')
  return new Set(taken.map(({ id }) => id))
}

/** Returns the recorder of an engine. */
export const recording =
  ({ engine, now, logger }: Pick<MailDeps, 'engine' | 'now' | 'logger'>): Recorder =>
  async ({ id, workspace_id: workspaceId, team_id: teamId, cause: of }, act, wanted, isOver) => {
    const cause = randomUUID()
    const runId = runOfCause(of)
    const { aggregate, command } = ask(mailings, id, 'record', { outcomes: [], take: [] })
    const asked = { aggregate, id, command: { ...command, type: act, wanted } }
    const result = await retryWhileUnavailable(
      () =>
        desk({ engine })(
          {
            ...{ actor: ACTOR, at: new Date(now(workspaceId)).toISOString(), cause, teamId, workspaceId },
            // What follows from the mail of a run follows from the run.
            ...(runId !== undefined && { correlation: correlationOf(runId) }),
          },
          asked,
        ),
      {
        say: (error) => logger.warn({ err: error, mailing: id }, 'outcomes of mails cannot be recorded for now'),
        isOver,
      },
    )
    if (result instanceof Refusal) throw result
    return 'events' in result ? result.events : []
  }
