import { readerOver } from '../../kernel/decide/rules.ts'
import type { Concerned, PublicationSpec } from '../../kernel/react/publication.ts'
import { type DomainEvent, isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { delivery, type Settled } from './model.ts'
import type { DeliveryStatus } from './outcomes.ts'
import type { Purpose } from './purpose.ts'

type Type = keyof (typeof delivery)['events'] & string
type Publication = PublicationSpec<Type, Pick<DomainEvent, 'type' | 'data'>>
type Condition = NonNullable<Publication['when']>

const purposeIn = ({ purpose }: JsonObject): Purpose | undefined => (isJsonObject(purpose) ? purpose : undefined)

const outcomeOf = ({ outcomes }: JsonObject, deliveryId: number): Settled['outcome'] | undefined =>
  ((outcomes ?? []) as readonly Settled[]).find(({ delivery_id }) => delivery_id === deliveryId)?.outcome

/** Returns the outcome that an event gives to a mail; `undefined`: none. */
const settledAs = ({ data }: Parameters<Condition>[0], deliveryId: number): string | undefined =>
  typeof data.outcome === 'string' ? data.outcome : outcomeOf(data, deliveryId)

/** Statuses of a mail of which it has been told already that it came back. */
const BOUNCED: DeliveryStatus = 'bounced'

/** What happens to mails, by the last word of its key. A mail that is kept as a file counts as sent. */
const HAPPENINGS: Readonly<Record<string, Publication>> = {
  sent: {
    on: ['DeliveriesSettled', 'DoubtSettled'],
    when: (event, id) => ['sent', 'kept'].includes(settledAs(event, id) ?? ''),
    about: 'was handed over, or kept as a file.',
  },
  open: {
    on: ['FetchesJudged'],
    when: ({ data }) => Number(data.opens) > 0 || data.first_open === true,
    about: 'was opened by a person.',
  },
  click: {
    on: ['FetchesJudged'],
    when: ({ data }) => Number(data.clicks) > 0,
    about: 'had a link that a person followed.',
  },
  bounce: {
    on: ['DeliveriesSettled', 'DoubtSettled', 'MailReturned'],
    when: (event, id) =>
      event.type === 'MailReturned'
        ? event.data.returned !== 'refused' && event.data.was !== BOUNCED
        : settledAs(event, id) === BOUNCED,
    about: 'came back, since its mailbox does not exist or cannot be reached.',
  },
  spam_complaint: { on: ['MailComplainedAbout'], about: 'was reported as spam.' },
}

/** Returns whose mail it is, and what it is a mail of. */
const concerns: NonNullable<Publication['concerns']> = async ({ data }, documents, deliveryId): Promise<Concerned> => {
  const { broadcast_id = null, step_id = null } = purposeIn(data) ?? {}
  const mail = await readerOver(documents).one(delivery, deliveryId)
  return {
    contact_id: mail?.contact_id ?? null,
    conditions: { emails_broadcasts_id: broadcast_id, workflows_step_id: step_id },
  }
}

const publications = (group: string, what: string, isOf: (purpose: Purpose) => boolean) =>
  Object.fromEntries(
    Object.entries(HAPPENINGS).map(([name, { when, about, ...happening }]): [string, Publication] => [
      `$${group}.${name}`,
      {
        ...happening,
        about: `${what} ${about}`,
        when(event, deliveryId) {
          const purpose = purposeIn(event.data)
          return purpose !== undefined && isOf(purpose) && (when?.(event, deliveryId) ?? true)
        },
        concerns,
      },
    ]),
  )

/** Public events about mails to contacts: of any, and of those that steps of workflows send. Mails to users of the team have none. */
export const mailPublications: Readonly<Record<string, Publication>> = {
  ...publications('email', 'A mail to a contact', () => true),
  ...publications('send_email_step', 'A mail of a step of a workflow', ({ step_id }) => step_id !== undefined),
}
