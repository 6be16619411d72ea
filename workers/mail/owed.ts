import type { MailingRecord, SendableMailing } from '../../domain/emails/mailing/model.ts'
import { domainOf, isOwedKind, LOCAL_DOMAIN, owedSender, owedValues } from '../../domain/emails/public.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { MailDeps } from './mail-deps.ts'
import type { Recorder } from './record.ts'

interface OwedDeps extends Pick<MailDeps, 'live' | 'mail' | 'mailLinks'> {
  readonly record: Recorder
}

/** What is about a mailing that is to be handed over. */
interface Place {
  readonly workspace: Document
  /** Whether its mails are kept as files. */
  readonly keeps: boolean
}

/**
 * Gives a mailing without a sender its own. Where there is none that it can be from, it is held until the operator lets it go again.
 *
 * @returns `undefined`: it is held
 */
export const withSender = async (
  { live, mail, record }: OwedDeps,
  one: MailingRecord,
  { workspace, keeps }: Place,
  isOver: () => boolean,
): Promise<SendableMailing | undefined> => {
  const { sender, domain } = one
  if (sender !== null && domain !== null) return { ...one, sender, domain }
  const found = await owedSender(workspace, mail.sharedDomain ?? (keeps ? LOCAL_DOMAIN : undefined), live)
  if (!found) {
    await record(one, 'hold', { reason: 'no_sender' }, isOver)
    return undefined
  }
  const chosen = { sender: found.sender, reply_to: found.replyTo, domain: domainOf(found.sender) }
  await record(one, 'chooseSender', chosen, isOver)
  return { ...one, ...chosen }
}

/** Fills in the values of a mail that somebody is owed. */
export const withValues = async (
  { live, mailLinks: links }: OwedDeps,
  one: SendableMailing,
  workspace: Document,
): Promise<SendableMailing> =>
  isOwedKind(one.kind)
    ? { ...one, values: { ...one.values, ...(await owedValues(one, workspace, { read: live, links })) } }
    : one
