import { knownMailboxes, withMailbox } from '../../domain/contacts/public.ts'
import { reasonNotToMail } from '../../domain/emails/mailing/may-be-mailed.ts'
import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import type { Work } from './dispatch.ts'
import type { MailDeps } from './mail-deps.ts'
import { type Recipient, type RecipientsDeps, recipientsOf } from './recipients.ts'
import { type TellingsDeps, tellingsOf } from './tellings.ts'

/** Deliveries that are to be handed over, with their recipients, and outcomes of the others. */
export interface Mailable {
  readonly mailable: readonly (readonly [DeliveryRecord, Recipient])[]
  readonly settled: readonly Settled[]
}

type Of = Pick<Work, 'mailing' | 'workspace'>

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

/** Returns why a delivery is not handed over at this moment, or with which recipient it is. */
const judged = async (
  deps: RecipientsDeps & TellingsDeps & Pick<MailDeps, 'live'>,
  picked: readonly DeliveryRecord[],
  of: Of,
  second: ReadonlySet<number>,
) => {
  const recipients = await recipientsOf(deps, picked, of.mailing)
  const standings = await standingsOf(deps.live, of.mailing, [...recipients.values()])
  const found = picked.map((delivery) => {
    const recipient = recipients.get(delivery.id)
    const isSecond = second.has(delivery.id) ? 'duplicate' : undefined
    const standing = recipient && standings(recipient)
    return { delivery, recipient, outcome: reasonNotToMail(standing, of.mailing) ?? isSecond }
  })
  const mailed = found.flatMap(({ recipient, outcome }) => (recipient && !outcome ? recipient.contact : []))
  return { found, tellings: await tellingsOf(deps, of, mailed) }
}

/** Decides at this moment who of those picked may be mailed. @param second deliveries to a mailbox that has one already */
export const mailableOf = async (
  deps: RecipientsDeps & TellingsDeps & Pick<MailDeps, 'live'>,
  picked: readonly DeliveryRecord[],
  of: Of,
  second: ReadonlySet<number>,
): Promise<Mailable> => {
  const mailable: (readonly [DeliveryRecord, Recipient])[] = []
  const settled: Settled[] = []
  if (picked.length === 0) return { mailable, settled }
  const { found, tellings } = await judged(deps, picked, of, second)
  for (const { delivery, recipient, outcome } of found) {
    const telling = recipient && tellings.get(recipient.contact.id)
    if (!recipient || outcome) settled.push({ delivery_id: delivery.id, outcome: outcome ?? 'deleted' })
    else if (telling && 'withheld' in telling)
      settled.push({ delivery_id: delivery.id, outcome: 'withheld', reason: telling.withheld })
    else mailable.push([delivery, { ...recipient, ...(telling && { values: telling.values }) }])
  }
  return { mailable, settled }
}
