import { AddressUnusable } from '../../domain/emails/composing/compose.ts'
import { LiquidFailed } from '../../domain/emails/liquid/render.ts'
import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import type { ComposedMail, HandOver, SigningKey } from '../../domain/kernel/ports/mail-transport.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { isPassing } from '../retry-while-unavailable.ts'
import { composed } from './composed.ts'
import type { MailDeps } from './mail-deps.ts'
import { CALLED_OFF } from './mailable.ts'
import type { Question } from './question.ts'
import type { Recipient } from './recipients.ts'
import type { Work } from './work.ts'

/** A mail whose intent is recorded. */
export interface Going {
  readonly delivery: DeliveryRecord
  readonly recipient: Recipient
  readonly signWith: MaybePromise<SigningKey | undefined>
  /** When it began to wait for its turn. */
  readonly waitsSince: number
  /** Notes that a mail of the mailing could be written, which a mail at which the process ends cannot. */
  readonly written: () => Promise<void>
}

/** Returns what makes a mail for its recipient of this moment, or notes why it does not go. Nothing is waited for after the last answer. */
const writing = (
  deps: Pick<MailDeps, 'composer' | 'loader' | 'now'>,
  { mailing, workspace, returnDomain }: Work,
  { delivery, ...going }: Going,
  { question, stay }: { readonly question: Question; readonly stay: (settled: Settled) => void },
) => {
  let { recipient } = going
  let mail: ComposedMail | undefined
  return async (): Promise<ComposedMail | undefined> => {
    for (;;) {
      const now = deps.now(mailing.workspace_id)
      mail ??= await composed({ mailing, returnDomain, delivery, recipient, workspace, now }, deps)
      await going.written()
      const answer = await question.one(delivery, recipient)
      if ('settled' in answer) {
        stay(answer.settled)
        return undefined
      }
      // The address on record is the one that reports are about. With another one it is taken anew.
      if (answer.recipient.digest !== recipient.digest) {
        stay(CALLED_OFF(delivery.id))
        return undefined
      }
      const { contact, user } = answer.recipient
      if (contact === recipient.contact && user === recipient.user) return mail
      recipient = answer.recipient
      mail = undefined
    }
  }
}

/** Hands a mail over, unless it does not go any more. @returns what came of it, or what becomes of it without having gone */
export const handOver = async (
  deps: MailDeps,
  work: Work,
  going: Going,
  question: Question,
): Promise<HandOver | Settled> => {
  const { mailing, transport } = work
  const { delivery, recipient, waitsSince } = going
  let settled: Settled | undefined
  const stay = (one: Settled) => {
    settled = one
  }
  try {
    const signWith = await going.signWith
    const compose = writing(deps, work, going, { question, stay })
    const of = { contactId: recipient.contact.id, mailingId: mailing.id, deliveryId: delivery.id }
    const result = await transport.handOver({ compose, signWith, waitsSince, ...of })
    return result.came === 'stayed' && settled ? settled : result
  } catch (error) {
    if (error instanceof LiquidFailed) return { came: 'refused', reason: 'rendering' }
    if (error instanceof AddressUnusable) return { came: 'refused', reason: 'address' }
    if (isPassing(error)) return { came: 'ours', reason: 'unavailable' }
    deps.logger.error({ err: error, delivery: delivery.id }, 'a mail could not be handed over')
    return { came: 'ours', reason: 'internal', atRecipient: true }
  }
}
