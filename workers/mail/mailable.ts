import { knownMailboxes, withMailbox } from '../../domain/contacts/public.ts'
import { reasonNotToMail } from '../../domain/emails/mailing/may-be-mailed.ts'
import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import type { MailDeps } from './mail-deps.ts'
import { type Recipient, type RecipientsDeps, recipientsOf } from './recipients.ts'
import { formerMembers, type Standing, standingOf } from './standing.ts'
import { type TellingsDeps, tellingsOf } from './tellings.ts'
import type { Work } from './work.ts'

/** Deliveries that are to be handed over, with their recipients, and outcomes of the others. */
export interface Mailable {
  readonly mailable: readonly (readonly [DeliveryRecord, Recipient])[]
  readonly settled: readonly Settled[]
  /** Whether the mailing is held, or its broadcast paused: nothing of it goes, and it waits on. */
  readonly isCalledOff: boolean
}

/** Dependencies of asking who may be mailed. */
export type QuestionDeps = RecipientsDeps & TellingsDeps & Pick<MailDeps, 'live' | 'mail'>

/** Returns the outcome of a delivery whose mailing is kept from going on. */
export const CALLED_OFF = (id: number): Settled => ({ delivery_id: id, outcome: 'returned' })

/** Outcome of all of a mailing that goes no more. */
const NONE: Readonly<Partial<Record<Standing, Omit<Settled, 'delivery_id'>>>> = {
  canceled: { outcome: 'canceled' },
  turned_off: { outcome: 'withheld', reason: 'turned_off' },
}

/** Mailing that is asked about. */
export type Of = Pick<Work, 'mailing' | 'workspace'>

/**
 * Returns a function that returns a recipient with what is known of its address at this moment, by one look-up for all of them. A contact may not have heard of it yet,
 * as one that was just imported.
 */
export const standingsOf = async (
  live: Pick<MailDeps['live'], 'find'>,
  { workspace_id }: Pick<Of['mailing'], 'workspace_id'>,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => Recipient['contact']> => {
  const digests = recipients.flatMap(({ digest }) => digest ?? [])
  const known = await knownMailboxes(live, workspace_id, digests)
  return ({ contact, digest }) => withMailbox(contact, digest === undefined ? undefined : known.get(digest))
}

/** Deliveries that are asked about. */
export interface Asked {
  readonly picked: readonly DeliveryRecord[]
  /** Deliveries to a mailbox that has one already. */
  readonly second: ReadonlySet<number>
  /** Their recipients, as they were when it was asked before. */
  readonly known?: ReadonlyMap<number, Recipient> | undefined
}

/** Returns why a delivery is not handed over at this moment, or with which recipient it is. */
const judged = async (deps: QuestionDeps, { picked, second, known }: Asked, of: Of) => {
  const recipients = await recipientsOf(deps, picked, of.mailing, known)
  const all = [...recipients.values()]
  const [standings, isFormer] = await Promise.all([
    standingsOf(deps.live, of.mailing, all),
    formerMembers(deps.live, of.workspace, all),
  ])
  const found = picked.map((delivery) => {
    const recipient = recipients.get(delivery.id)
    const isSecond = second.has(delivery.id) ? 'duplicate' : undefined
    const standing = recipient && standings(recipient)
    return { delivery, recipient, outcome: reasonNotToMail(standing, of.mailing) ?? isSecond }
  })
  const mailed = found.flatMap(({ recipient, outcome }) => (recipient && !outcome ? recipient.contact : []))
  return { found, isFormer, tellings: await tellingsOf(deps, of, mailed) }
}

/** Decides at this moment who of those picked may be mailed. */
export const mailableOf = async (deps: QuestionDeps, asked: Asked, of: Of): Promise<Mailable> => {
  const { picked } = asked
  const mailable: (readonly [DeliveryRecord, Recipient])[] = []
  const settled: Settled[] = []
  if (picked.length === 0) return { mailable, settled, isCalledOff: false }
  const { found, isFormer, tellings } = await judged(deps, asked, of)
  const stands = await standingOf(deps, of.mailing)
  if (stands === 'held') return { mailable, settled, isCalledOff: true }
  const none = NONE[stands]
  if (none) return { mailable, settled: picked.map(({ id }) => ({ delivery_id: id, ...none })), isCalledOff: false }
  for (const { delivery, recipient, outcome } of found) {
    const telling = recipient && tellings.get(recipient.contact.id)
    if (!recipient || outcome) settled.push({ delivery_id: delivery.id, outcome: outcome ?? 'deleted' })
    else if (isFormer(recipient)) settled.push({ delivery_id: delivery.id, outcome: 'withheld', reason: 'no_access' })
    else if (telling && 'withheld' in telling)
      settled.push({ delivery_id: delivery.id, outcome: 'withheld', reason: telling.withheld })
    else mailable.push([delivery, { ...recipient, ...(telling && { values: telling.values }) }])
  }
  return { mailable, settled, isCalledOff: false }
}
