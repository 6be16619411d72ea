import type { Publications } from '../../kernel/publication.ts'

/** What subscribers learn of contacts. */
export const contactPublishes: Publications = {
  '$contact.created': {
    on: ['ContactCreated'],
    about: 'A contact was created.',
    alias: 'contact.created',
  },
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
    alias: 'contact.updated',
  },
  '$contact.deleted': {
    on: ['ContactDeleted'],
    about: 'A contact was deleted.',
    alias: 'contact.deleted',
  },
  '$contact.identified': {
    on: ['ContactIdentified'],
    about: 'A contact became known by e-mail address or telephone number.',
    alias: 'contact.identified',
  },
}
