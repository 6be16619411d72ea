import {
  type DeliveryRecord,
  type MailingRecord,
  mailing,
  type SendableMailing,
} from '../../domain/emails/mailing/model.ts'
import { domainOf, isOwedKind, isSenderKept, LOCAL_DOMAIN, owedSender, owedValues } from '../../domain/emails/public.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { MailDeps } from './mail-deps.ts'
import type { Recorder } from './record.ts'

interface OwedDeps extends Pick<MailDeps, 'live' | 'loader' | 'mail' | 'mailLinks' | 'memberLinks' | 'now'> {
  readonly record: Recorder
}

/** Time after what it is for in which owed mail is begun to be handed over. Later ones come from a log that is gone through once more. */
const LATE_MS = 72 * 60 * 60_000

/** A mailing that is about to be handed over. */
interface Ready {
  /** What has it handed over. */
  readonly event: Pick<RecordedEvent, 'type'>
  readonly mailing: MailingRecord
  readonly deliveries: readonly DeliveryRecord[]
  readonly workspace: Document
  /** Whether its mails are kept as files. */
  readonly keeps: boolean
}

/** Whether owed mail is for something so long ago that its recipient surely knows, so that the operator is to decide. */
const isLate = ({ event, mailing: { class: of, paused_since, created_at }, deliveries, keeps }: Ready, now: number) =>
  of === 'owed' &&
  !keeps &&
  event.type === mailing.event.MailingBegun.type &&
  paused_since === null &&
  deliveries.every(({ attempts }) => attempts === 0) &&
  now - Date.parse(created_at) > LATE_MS

/**
 * Returns a mailing with its sender, which owed mail gets now, and anew when its former one is gone; `undefined`: there is none that it can be from. Another one
 * never takes the place of that of advertising.
 */
const withSender = async (
  { live, mail, record }: OwedDeps,
  { mailing: one, workspace, keeps }: Ready,
  isOver: () => boolean,
): Promise<SendableMailing | undefined> => {
  const { sender, domain } = one
  if (sender !== null && domain !== null) {
    if (await isSenderKept(one.workspace_id, sender, mail.sharedDomain, live)) return { ...one, sender, domain }
    if (one.class === 'marketing') return undefined
  }
  const found = await owedSender(workspace, mail.sharedDomain ?? (keeps ? LOCAL_DOMAIN : undefined), beside(live, one))
  if (!found) return undefined
  const chosen = { sender: found.sender, reply_to: found.replyTo, domain: domainOf(found.sender) }
  await record(one, 'chooseSender', chosen, isOver)
  return { ...one, ...chosen }
}

/** Fills in the values of a mail that somebody is owed. */
const withValues = async (
  { live, loader, mailLinks: links, memberLinks, now }: OwedDeps,
  one: SendableMailing,
  workspace: Document,
): Promise<SendableMailing> =>
  isOwedKind(one.kind)
    ? {
        ...one,
        values: {
          ...one.values,
          ...(await owedValues(one, workspace, {
            ...{ read: beside(live, one), load: loader(), links, memberLinks },
            at: new Date(now(one.workspace_id)).toISOString(),
          })),
        },
      }
    : one

/**
 * Makes a mailing ready to be handed over: owed mail gets its sender and its values.
 *
 * @returns `undefined`: it is held until the operator lets it go, since it is late, or has no sender
 */
export const madeReady = async (
  deps: OwedDeps,
  ready: Ready,
  isOver: () => boolean,
): Promise<SendableMailing | undefined> => {
  const hold = async (reason: string) => {
    await deps.record(ready.mailing, 'hold', { reason }, isOver)
    return undefined
  }
  if (isLate(ready, deps.now(ready.mailing.workspace_id))) return hold('late')
  const sendable = await withSender(deps, ready, isOver)
  return sendable ? withValues(deps, sendable, ready.workspace) : hold('no_sender')
}
