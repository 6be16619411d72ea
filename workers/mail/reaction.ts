import type { DeliveryRecord } from '../../domain/emails/mailing/model.ts'
import { delivery, type MailingRecord, mailing } from '../../domain/emails/mailing/model.ts'
import { mailings } from '../../domain/emails/mailing/rules.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { isOfCopy, OLDER_COPY } from '../older-copy.ts'
import { DONE, inStreams, type Reaction, STOPPED, type TaskTurn } from '../reactor/reaction.ts'
import { Dispatch, type DispatchDeps } from './dispatch.ts'
import type { MailDeps } from './mail-deps.ts'
import { Pace } from './pace.ts'
import { recording } from './record.ts'
import { recordedTimes } from './recorded-times.ts'
import { Room } from './room.ts'

/** Mailings of one workspace, and of all, that are handed over at once. More than the mails to a slow domain, so that some stay free. */
const MAILINGS = 8
const LIMIT_OF_ALL = 64
const TRIES = 10
/** Pause of mailings in a process that hands nothing over. */
const IDLE_MS = 1000

/**
 * Returns the reaction that hands mails over. Each mailing is a lane, each workspace a group, so that none holds up another. What is deferred or paused
 * comes back when it is due. Mailings of an older copy wait for the operator's word.
 */
export const mailReaction = (deps: MailDeps): Reaction => {
  const { engine, live, mail } = deps
  const dispatchDeps: DispatchDeps = {
    ...deps,
    record: recording(deps),
    room: new Room(),
    pace: mail.rate && new Pace(mail.rate, recordedTimes(deps)),
  }

  const dispatch = async (one: MailingRecord, deliveries: readonly DeliveryRecord[], turn: TaskTurn) => {
    const workspace = await live.get('workspace', one.workspace_id)
    if (!workspace) return DONE
    // Nothing of a test workspace reaches anybody, whatever is configured: its clock may be years ahead.
    const transport = workspace.test === true ? mail.files : (mail.smtp ?? mail.files)
    const next = await new Dispatch(dispatchDeps, { mailing: one, deliveries, transport, workspace }, turn).run()
    if (turn.stopping()) return STOPPED
    return next === undefined ? DONE : ({ came: 'early', notBefore: next } as const)
  }

  return inStreams({
    name: 'mails',
    on: [mailing.event.MailingBegun, mailing.event.MailingReleased, mailing.event.DeliveryOrderedAgain],
    group: ({ metadata }) => `mails:${metadata.workspace_id ?? 0}`,
    width: MAILINGS,
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    async react(event: RecordedEvent, turn) {
      if (mail.isIdle) return { came: 'early', notBefore: deps.now(event.metadata.workspace_id) + IDLE_MS }
      const records = await engine.records(mailings, parseStream(event.stream).id, event.revision)
      const one = records.root(mailing) as MailingRecord | undefined
      if (!one || one.status === 'completed' || one.status === 'held') return DONE
      if (isOfCopy(event, deps.olderCopy)) {
        await dispatchDeps.record(one, 'hold', { reason: OLDER_COPY }, turn.stopping)
        return DONE
      }
      const resumes = one.resumes_at === null ? 0 : Date.parse(one.resumes_at)
      if (resumes > deps.now(one.workspace_id)) return { came: 'early', notBefore: resumes }
      return dispatch(one, records.all(delivery), turn)
    },
  })
}
