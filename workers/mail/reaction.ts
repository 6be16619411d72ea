import { returnDomainOf } from '../../domain/emails/domain/return-domain.ts'
import type { DeliveryRecord } from '../../domain/emails/mailing/model.ts'
import { delivery, type MailingRecord, mailing } from '../../domain/emails/mailing/model.ts'
import { mailings } from '../../domain/emails/mailing/rules.ts'
import type { MailRates } from '../../domain/emails/rates/notation.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { isOfCopy, OLDER_COPY } from '../older-copy.ts'
import { DONE, inStreams, type Outcome, type Reaction, STOPPED, type TaskTurn } from '../reactor/reaction.ts'
import { Dispatch, type DispatchDeps } from './dispatch.ts'
import { leftTaken } from './judge.ts'
import type { MailDeps } from './mail-deps.ts'
import { madeReady } from './owed.ts'
import { Pace } from './pace.ts'
import { currentRates } from './rates.ts'
import { recording } from './record.ts'
import { recordedMails } from './recorded-mails.ts'
import { Room } from './room.ts'
import { slotsOf } from './slots.ts'

/** Returns the group of a mailing: what many get at once holds up nothing that single people wait for. */
const groupOf = ({ data, metadata }: RecordedEvent): string =>
  `mails:${metadata.workspace_id ?? 0}${data.class === 'marketing' ? ':marketing' : ''}`

/** Mailings of one workspace, and of all, that are handed over at once. More than the mails to a slow domain, so that some stay free. */
const MAILINGS = 8
const LIMIT_OF_ALL = 64
const TRIES = 10
/** Pause of mailings in a process that hands nothing over. */
const IDLE_MS = 1000
/** Pause of a mailing for a rate, which may be changed meanwhile: longer where many wait, so that their looks cost little. */
const pauseOf = (waiting: number): number => Math.min(30_000, Math.max(1000, waiting * 50))

/** A mailing, and the event that has it handed over. */
interface Ordered {
  readonly event: RecordedEvent
  readonly one: MailingRecord
  readonly deliveries: readonly DeliveryRecord[]
}

const dispatchDepsOf = (deps: MailDeps): DispatchDeps => ({
  ...deps,
  record: recording(deps),
  room: new Room(),
  slots: slotsOf(),
  pace: new Pace(recordedMails(deps), (domain, limit) =>
    deps.logger.info(
      { domain, limit },
      'a new sending domain is warmed up: the rest of its marketing waits for tomorrow',
    ),
  ),
  rates: currentRates(deps.live, deps.mail.rates),
})

/** Returns how mail of a workspace goes. Nothing of a test workspace reaches anybody, whatever is configured: its clock may be years ahead. */
const transportOf = (workspace: Document | undefined, { smtp, files }: MailDeps['mail']) =>
  workspace?.test === true ? files : (smtp ?? files)

/** Settles what a task has left as taken in a mailing that is held since. */
const settleLeft = async (deps: DispatchDeps, { one, deliveries }: Omit<Ordered, 'event'>, turn: TaskTurn) => {
  const taken = deliveries.filter(({ status }) => status === 'taken')
  if (taken.length === 0) return
  const { keeps } = transportOf(await deps.live.get('workspace', one.workspace_id), deps.mail)
  await deps.record(one, 'record', { outcomes: leftTaken(taken, keeps), take: [] }, turn.stopping)
}

/**
 * Returns the reaction that hands mails over. Each mailing is a lane, and each workspace has a group for advertising and one for other mail, so that none holds
 * up another. What is deferred or paused comes back when it is due. Mailings of an older copy wait for the operator's word.
 */
export const mailReaction = (deps: MailDeps): Reaction => {
  const { engine, live, mail } = deps
  const dispatchDeps = dispatchDepsOf(deps)
  const { rates } = dispatchDeps
  /** Mailings that wait, until when and under which rates: it takes no look at their records to let them wait on. */
  const waiting = new Map<number, { readonly until: number; readonly rates: MailRates }>()

  const waits = async (mailingId: number, now: number): Promise<Outcome | undefined> => {
    const wait = waiting.get(mailingId)
    waiting.delete(mailingId)
    if (!wait || wait.until <= now || wait.rates !== (await rates())) return undefined
    waiting.set(mailingId, wait)
    return { came: 'early', notBefore: Math.min(wait.until, now + pauseOf(waiting.size)) }
  }

  const handOver = async ({ event, one, deliveries }: Ordered, turn: TaskTurn) => {
    const workspace = await live.get('workspace', one.workspace_id)
    if (!workspace) return DONE
    const transport = transportOf(workspace, mail)
    const ready = { event, mailing: one, deliveries, workspace, keeps: transport.keeps }
    const mailing = await madeReady(dispatchDeps, ready, turn.stopping)
    if (!mailing) return DONE
    const returnDomain = await returnDomainOf(mailing, mail.sharedDomain, live)
    const dispatch = new Dispatch(dispatchDeps, { mailing, deliveries, transport, workspace, returnDomain }, turn)
    const next = await dispatch.run()
    if (turn.stopping()) return STOPPED
    if (next === undefined) {
      engine.release(mailings, one.id)
      return DONE
    }
    const now = deps.now(one.workspace_id)
    const looks = now + pauseOf(waiting.size)
    if (!dispatch.isPaced || next <= looks) return { came: 'early', notBefore: next } as const
    waiting.set(one.id, { until: next, rates: await rates() })
    return { came: 'early', notBefore: looks } as const
  }

  return inStreams({
    name: 'mails',
    on: [mailing.event.MailingBegun, mailing.event.MailingReleased, mailing.event.DeliveryOrderedAgain],
    group: groupOf,
    width: MAILINGS,
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    async react(event: RecordedEvent, turn) {
      const now = deps.now(event.metadata.workspace_id)
      if (mail.isIdle) return { came: 'early', notBefore: now + IDLE_MS }
      const { id } = parseStream(event.stream)
      const wait = await waits(id, now)
      if (wait) return wait
      const records = await engine.records(mailings, id, event.revision)
      const one = records.root(mailing) as MailingRecord | undefined
      if (!one || one.status === 'completed') return DONE
      if (one.status === 'held') {
        await settleLeft(dispatchDeps, { one, deliveries: records.all(delivery) }, turn)
        return DONE
      }
      if (isOfCopy(event, deps.olderCopy)) {
        await dispatchDeps.record(one, 'hold', { reason: OLDER_COPY }, turn.stopping)
        return DONE
      }
      await deps.seen(event)
      const resumes = one.resumes_at === null ? 0 : Date.parse(one.resumes_at)
      if (resumes > deps.now(one.workspace_id)) return { came: 'early', notBefore: resumes }
      return handOver({ event, one, deliveries: records.all(delivery) }, turn)
    },
  })
}
