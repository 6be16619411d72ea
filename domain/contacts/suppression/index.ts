import { choice, text } from '../../kernel/model/fields.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { mailboxOf } from '../../kernel/values/mailbox.ts'
import { emailAddress } from '../../resources/attributes/email-address.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, flagFilter, list, show, workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { asks, creates } from '../../resources/writes.ts'
import { EMAIL_DIGEST, emailDigest } from '../contact/lookup.ts'
import { contact } from '../contact/model.ts'
import { contactShort } from '../contact/view.ts'
import { digestIn } from './contact-document.ts'
import { knownMailbox } from './known-mailboxes.ts'
import { suppression } from './model.ts'
import { REASONS } from './reasons.ts'
import { suppressions } from './rules.ts'

const SUPPRESSIONS = '/workspaces/{workspace_id}/contacts/suppressions'
const beyondContract = true
const NOTE = 'Why, for whoever looks at it later. No personal data'

const digestOf = ({ fields, vault }: WriteInput): string => emailDigest(String(fields.email_address), vault)

/** Returns what is known of the address in a request. */
const holder = async (input: WriteInput): Promise<number | undefined> =>
  (await knownMailbox(input.read, Number(input.owner?.id), digestOf(input)))?.id

const wanted = (input: WriteInput): JsonObject => {
  const { email_address: _, ...fields } = input.fields
  return { ...fields, digest: digestOf(input) }
}

/** Contacts::Suppression: what is known of an address as far as mail to it goes. The address itself is not stored. */
export const suppressionResource = serve(suppression, suppressions, {
  title: 'Contacts::Suppression',
  root: 'contacts_suppression',
  category: 'contacts',
  under: workspace,
  indexes: [{ fields: ['workspace_id', 'digest'] }],
  view: {
    contact: {
      schema: nullable(contactShort.schema),
      /** Whoever had the address before, and has another now, is not shown with it. */
      of: async ({ contact_id, digest }, load) => {
        const found = await load.one(contact.name, contact_id)
        return found && digestIn(found) === digest ? contactShort.of(found, load) : null
      },
    },
  },
  operations: {
    listContactsSuppressions: list(SUPPRESSIONS, {
      beyondContract,
      summary: 'Addresses to which mail has come back, or whose owners have complained or unsubscribed',
      filters: {
        id: byId,
        email_address: { type: 'digest', field: 'digest', purpose: EMAIL_DIGEST, keptAs: mailboxOf },
        reason: { type: 'text', field: 'reason', among: [...REASONS] },
        is_suppressed: flagFilter('is_suppressed'),
        is_unsubscribed: flagFilter('is_unsubscribed'),
      },
    }),
    createContactsSuppressions: creates(SUPPRESSIONS, {
      beyondContract,
      summary: 'Suppresses an address, whether a contact has it or not; a stronger reason that is known stays',
      upsert: 'digest',
      holder,
      wanted,
      input: {
        email_address: emailAddress({ required: true }),
        reason: choice([...REASONS], { default: 'manual' }),
        note: text({ nullable: true, max: 500, about: NOTE }),
      },
    }),
    getContactsSuppressions: show('/contacts/suppressions/{id}', { beyondContract }),
    liftContactsSuppressions: asks('/contacts/suppressions/{id}/lift', 'lift', {
      beyondContract,
      consequence: 'lets mail go to an address again',
      summary: 'Lets mail go to the address again, except to who has unsubscribed',
      body: {
        root: 'contacts_suppression',
        fields: { note: text({ required: true, max: 500, about: NOTE }) },
        mode: 'create',
      },
    }),
  },
})
