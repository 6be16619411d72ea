import { contactNamed } from '../../contacts/public.ts'
import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { delivery, mailing } from './model.ts'
import { mailPublications } from './publications.ts'
import { mailings } from './rules.ts'

/** A mailing. It is asked for by policies and shown to the operator; the API has no operations on it. */
export const mailingResource = serve(mailing, mailings, {
  title: 'Emails::Mailing',
  root: 'emails_mailing',
  category: 'emails',
  under: workspace,
  indexes: [
    { fields: ['status'] },
    { fields: ['workspace_id'] },
    { fields: ['domain'], sort: 'last_taken_at' },
    { fields: ['owed_for'] },
  ],
  operations: {},
})

/** A delivery, in the stream of its mailing. Its id follows from the mailing and its place there. */
export const deliveryResource = serve(delivery, mailings, {
  title: 'Emails::Delivery',
  root: 'emails_delivery',
  category: 'emails',
  under: { param: 'mailing_id', resource: 'emails/mailing', field: 'mailing_id' },
  ids: 'timeOrdered',
  person: 'contact_id',
  indexes: [
    { fields: ['mailing_id'] },
    { fields: ['contact_id'] },
    { fields: ['status'] },
    { fields: ['received_in'], sort: 'contact_id' },
    { fields: ['opened_in'], sort: 'contact_id' },
    { fields: ['clicked_in'], sort: 'contact_id' },
  ],
  view: { contact: { one: 'contact_id', shows: contactNamed } },
  operations: {},
  publishes: mailPublications,
})
