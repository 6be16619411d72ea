import { Type } from 'typebox'
import { contactSelector } from '../../filters/public.ts'
import { ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { KnownEvent } from '../../kernel/model/event-types.ts'
import { isBlankText } from '../../kernel/values/comparable.ts'
import { type FoldedEvent, isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { orders } from '../../orders/public.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, flagFilter, idFilter, list, show, workspace } from '../../resources/operations.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { shape } from '../../resources/view.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { keptOfMailbox } from '../suppression/erasure.ts'
import { contactByEmail } from './find.ts'
import { emailFilter, LOOKUP_FIELDS } from './lookup.ts'
import { appliedTag, contact } from './model.ts'
import { contacts, runningOrders } from './rules.ts'
import { contactParts, contactShort } from './view.ts'

const isEmpty = (value: Json | undefined): boolean =>
  value === null || (typeof value === 'string' && isBlankText(value)) || (Array.isArray(value) && value.length === 0)

const withoutEmpty = (sent: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => !isEmpty(value)))

const created = (input: WriteInput): JsonObject => ({ ...input.fields, uuid: input.uuid() })

/** Returns the input of an upsert. An upsert never clears a value: empty values count as not sent. */
const upserted = (input: WriteInput): JsonObject => {
  const given = withoutEmpty(input.exists ? input.fields : created(input))
  const { custom_attributes: attributes } = given
  return isJsonObject(attributes) ? { ...given, custom_attributes: withoutEmpty(attributes) } : given
}

/** Commands that end what bills a contact who is being erased. They are carried out before the key is destroyed. */
const endBilling = async ({ id, at }: WriteInput, read: FactReader) =>
  (await runningOrders(id, at, read)).map((order) => ask(orders, Number(order.id), 'stopBilling', {}))

/** Commands that an erasure brings: what is known of the address outlives the person, whose digest nobody can find any more. */
const beforeErasure = async (input: WriteInput, read: FactReader) => [
  ...(await endBilling(input, read)),
  ...(await keptOfMailbox(input.id, read)),
]

/** Returns the contact with the address of an upsert whose claim is in a spelling of a former version. */
const holder = ({ fields: { email_address: email }, ...input }: WriteInput) =>
  typeof email === 'string' ? contactByEmail(email, input) : undefined

/** Returns the number of ids for tags that the request may apply. */
const ids = ({ tag_ids: tags }: JsonObject): number => (Array.isArray(tags) ? tags.length : 0)

const CONTACTS = '/workspaces/{workspace_id}/contacts'

/** Contact, with tags and custom attributes. It can be found by e-mail address, deleted softly, and erased for good. */
export const contactResource = serve(contact, contacts, {
  title: 'Contact',
  root: 'contact',
  category: 'contacts',
  under: workspace,
  person: 'id',
  view: contactParts,
  indexes: [{ fields: ['tag_ids'] }, ...LOOKUP_FIELDS.map((field) => ({ fields: ['workspace_id', 'listed', field] }))],
  operations: {
    listContacts: list(CONTACTS, {
      filters: {
        email_address: emailFilter,
        id: byId,
        tag_ids: idFilter('tag_ids'),
        is_active: flagFilter('is_active'),
      },
      where: { listed: true },
      select: contactSelector,
    }),
    createContacts: creates(CONTACTS, { wanted: created, ids }),
    upsertContacts: creates(`${CONTACTS}/upsert`, {
      summary: 'Creates a contact, or changes the one that has the e-mail address; never clears a value',
      upsert: 'email_address',
      holder,
      wanted: upserted,
      ids,
    }),
    getContacts: show('/contacts/{id}'),
    updateContacts: changes('/contacts/{id}', { ids }),
    removeContacts: removes('/contacts/{id}'),
    /** The contract documents 200, but clients observe 204. The answer has no body either way. */
    gdpr_destroyContacts: asks('/contacts/{id}/gdpr_destroy', 'redact', {
      method: 'DELETE',
      answers: 204,
      consequence: 'erases a person for good',
      summary: 'Erases the person for good; the record stays',
      effects: ['destroyKey'],
      followUps: beforeErasure,
      wanted: (input) => ({ redacted_as: `redacted-${input.uuid().replaceAll('-', '').slice(0, 20)}@example.com` }),
    }),
  },
  publishes: {
    '$contact.created': { on: ['ContactCreated'], about: 'A contact was created.', alias: true },
    '$contact.updated': {
      on: [
        'ContactDetailsChanged',
        'ContactTimeZoneSet',
        'ContactAttributesSet',
        'ContactUnsubscribed',
        'ContactRedacted',
      ],
      unlessWith: ['ContactCreated'],
      about: 'Details, custom attributes or subscription of a contact changed, or the person was erased from it.',
      alias: true,
    },
    '$contact.deleted': { on: ['ContactDeleted'], about: 'A contact was deleted.', alias: true },
    '$contact.identified': {
      on: ['ContactIdentified'],
      about: 'A contact became known by e-mail address or telephone number.',
      alias: true,
    },
  },
})

const tagged = ({ stream, data }: KnownEvent<typeof contact> & Pick<FoldedEvent, 'stream'>) => ({
  contact_id: parseStream(stream).id,
  conditions: { contacts_tag_id: Number(data.tag_id) },
})

const tag = shape({ public_id: nullableString, name: Type.String(), color: Type.String() })
const APPLIED = '/contacts/{contact_id}/applied_tags'

/** Contacts::AppliedTag: a tag on one contact. */
export const appliedTagResource = serve(appliedTag, contacts, {
  title: 'Contacts::AppliedTag',
  root: 'contacts_applied_tag',
  category: 'contacts',
  under: { param: 'contact_id', resource: 'contact', field: 'contact_id' },
  person: 'contact_id',
  view: {
    tag: { one: 'tag_id', shows: { ...tag, missing: () => ({ public_id: null, name: '', color: '' }) } },
    contact: {
      schema: contactShort.schema,
      of: async ({ contact_id }, load) => {
        const found = await load.one('contact', contact_id)
        return found && contactShort.of(found, load)
      },
    },
  },
  operations: {
    listContactsAppliedTags: list(APPLIED, { filters: { id: byId, tag_id: idFilter('tag_id') } }),
    createContactsAppliedTags: creates(APPLIED),
    getContactsAppliedTags: show('/contacts/applied_tags/{id}'),
    removeContactsAppliedTags: removes('/contacts/applied_tags/{id}'),
  },
  publishes: {
    '$contact.tag_applied': {
      on: ['ContactTagApplied'],
      about: 'A tag was applied to a contact.',
      alias: 'contacts/applied_tag.created',
      concerns: tagged,
    },
    '$contact.tag_removed': {
      on: ['ContactTagRemoved'],
      about: 'A tag was removed from a contact; `data` shows it as it last was.',
      alias: 'contacts/applied_tag.deleted',
      concerns: tagged,
    },
  },
})
