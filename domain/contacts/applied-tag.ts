import { Type } from 'typebox'
import { reference } from '../kernel/fields.ts'
import { basics } from '../kinds/former.ts'
import { link } from '../kinds/link.ts'
import { idFilter } from '../kinds/operations.ts'
import { picker } from '../kinds/pick.ts'
import { nullableDateTime, nullableString } from '../kinds/schemas.ts'
import { contactAggregate } from './contact/aggregate.ts'
import type { ContactCommand } from './contact/decide.ts'
import { appliedTagDocuments } from './contact/documents.ts'
import { contactShortSchema, presentContactShort } from './contact/view.ts'

const pick = picker(['id', 'public_id', 'contact_id', 'tag_id', 'created_at', 'updated_at'])

/** Contacts::AppliedTag: a tag on one contact. */
export const appliedTag = link({
  name: 'contacts/applied_tag',
  tag: 'Contacts::AppliedTag',
  root: 'contacts_applied_tag',
  category: 'contacts',
  under: { param: 'contact_id', resource: 'contact', field: 'contact_id' },
  aggregate: contactAggregate,
  documents: appliedTagDocuments,
  fields: { tag_id: reference('contacts/tag', { required: true }) },
  filters: { tag_id: idFilter('tag_id') },
  view: {
    schema: Type.Object({
      id: Type.Integer(),
      public_id: nullableString,
      contact_id: Type.Integer(),
      tag_id: Type.Integer(),
      created_at: nullableDateTime,
      updated_at: nullableDateTime,
      tag: Type.Object({ public_id: nullableString, name: Type.String(), color: Type.String() }),
      contact: contactShortSchema,
    }),
    async present(document, load) {
      const [tag, contact] = await Promise.all([
        load.one('contacts/tag', Number(document.tag_id)),
        load.one('contact', Number(document.contact_id)),
      ])
      return {
        ...pick(document),
        tag: { public_id: tag?.public_id ?? null, name: tag?.name ?? '', color: tag?.color ?? '' },
        ...(contact && { contact: presentContactShort(contact) }),
      }
    },
  },
  publishes: {
    '$contact.tag_applied': {
      on: ['ContactTagApplied'],
      about: 'A tag was applied to a contact.',
      alias: 'contacts/applied_tag.created',
    },
    '$contact.tag_removed': {
      on: ['ContactTagRemoved'],
      about: 'A tag was removed from a contact; `data` shows it as it last was.',
      alias: 'contacts/applied_tag.deleted',
    },
  },
  person: (document) => Number(document.contact_id),
  paths: {
    list: ['listContactsAppliedTags', '/contacts/{contact_id}/applied_tags'],
    create: ['createContactsAppliedTags', '/contacts/{contact_id}/applied_tags'],
    show: ['getContactsAppliedTags', '/contacts/applied_tags/{id}'],
    remove: ['removeContactsAppliedTags', '/contacts/applied_tags/{id}'],
  },
  put: (input): ContactCommand => ({
    type: 'ApplyTag',
    tagId: Number(input.fields.tag_id),
    appliedTagId: input.id,
    ...basics(input),
  }),
  take: (input): ContactCommand => ({ type: 'RemoveTag', appliedTagId: input.id, ...basics(input) }),
})
