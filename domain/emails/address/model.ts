import { managed } from '../../kernel/model/field.ts'
import { flag, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** Local parts that every server takes without quotes. */
const LOCAL = {
  test: /^[A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9_+-])?$/,
  says: 'must be the part of an address before the @, of letters, digits and . _ + -',
}

const MOST_LOCAL = 64

/** Sender: an address of a workspace, on a sending domain of its own or on that of the operator. */
export const address = model('emails/address', {
  attributes: {
    username: text({ required: true, trim: true, max: MOST_LOCAL, form: LOCAL, shown: 'never' }),
    name: text({ required: true, trim: true, about: 'Name that recipients see' }),
    label: text({ nullable: true, shown: 'never' }),
    emails_domain_id: reference('emails/domain', { nullable: true, shown: 'never' }),
    email_address: managed(text({ required: true })),
    /** Whether mail from its domain is authenticated. */
    transport_verified: managed(flag({ default: false }), { shown: 'never' }),
  },
  events: {
    SenderAdded: { creates: true },
    SenderNamed: { sets: ['name'] },
    SenderMoved: { sets: ['username', 'emails_domain_id', 'email_address'] },
    SenderLabelled: { changes: 'rest', only: ['label'] },
    SenderTransportNoted: { sets: ['transport_verified'] },
    SenderArchived: { ends: true },
  },
})
