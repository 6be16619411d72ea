import { contactAggregate } from '../../domain/contacts/contact/aggregate.ts'
import type { ContactFields } from '../../domain/contacts/contact/decide.ts'
import { type ContactEvent, NOBODY, type Personal } from '../../domain/contacts/contact/events.ts'
import { basics, given } from '../support/decider.ts'

const ada: Personal = { ...NOBODY, email_address: 'ada@example.com', first_name: 'Ada' }
const created: ContactEvent = { type: 'ContactCreated', data: { uuid: 'u', time_zone: null, personal: ada } }
const identified: ContactEvent = { type: 'ContactIdentified', data: {} }
const applied = (id: number, tag: number): ContactEvent => ({
  type: 'ContactTagApplied',
  data: { applied_tag_id: id, tag_id: tag },
})
const change = (fields: ContactFields, appliedTagIds: readonly number[] = []) =>
  ({ type: 'ChangeContact', fields, appliedTagIds, ...basics }) as const

describe('contact', () => {
  it('is identified from the start when it comes with an e-mail address', () => {
    given(contactAggregate)
      .when({
        type: 'CreateContact',
        uuid: 'u',
        fields: { email_address: 'ada@example.com', first_name: 'Ada' },
        appliedTagIds: [],
        ...basics,
      })
      .then(created, identified)
  })

  it('is anonymous until it has an address or a number', () => {
    const unknown = { ...NOBODY, first_name: 'Ada' }
    const anonymous: ContactEvent = { type: 'ContactCreated', data: { uuid: 'u', time_zone: null, personal: unknown } }
    given(contactAggregate)
      .when({ type: 'CreateContact', uuid: 'u', fields: { first_name: 'Ada' }, appliedTagIds: [], ...basics })
      .then(anonymous)
    given(contactAggregate, anonymous)
      .when(change({ phone_number: '+1' }))
      .then(
        {
          type: 'ContactDetailsChanged',
          data: { changed: ['phone_number'], personal: { ...unknown, phone_number: '+1' } },
        },
        identified,
      )
  })

  it('says nothing new when nothing differs', () => {
    given(contactAggregate, created, identified)
      .when(change({ first_name: 'Ada' }))
      .thenNothing()
    given(contactAggregate, created, identified, applied(5, 50))
      .when(change({ tag_ids: [50] }, [9]))
      .thenNothing()
    given(contactAggregate, created, identified, {
      type: 'ContactAttributesSet',
      data: { attributes: { colour: 'red' } },
    })
      .when(change({ custom_attributes: { Colour: 'red' } }))
      .thenNothing()
  })

  it('replaces its tags as a whole and keeps those that stay', () => {
    given(contactAggregate, created, identified, applied(5, 50), applied(6, 60))
      .when(change({ tag_ids: [60, 70, 70] }, [8, 9, 10]))
      .then({ type: 'ContactTagRemoved', data: { applied_tag_id: 5, tag_id: 50 } }, applied(8, 70))
  })

  it('takes a tag once', () => {
    given(contactAggregate, created, identified, applied(5, 50))
      .when({ type: 'ApplyTag', tagId: 50, appliedTagId: 6, ...basics })
      .refuses('invalid', 'Tag has already been applied to this contact')
    given(contactAggregate, created, identified, applied(5, 50))
      .when({ type: 'ApplyTag', tagId: 50, appliedTagId: 5, ...basics })
      .thenNothing()
    given(contactAggregate, created, identified, applied(5, 50))
      .when({ type: 'RemoveTags', tagIds: [50], ...basics })
      .then({ type: 'ContactTagRemoved', data: { applied_tag_id: 5, tag_id: 50 } })
    given(contactAggregate, created, identified)
      .when({ type: 'RemoveTags', tagIds: [50], ...basics })
      .thenNothing()
  })

  it('spells attribute keys in snake case and refuses what it cannot spell', () => {
    given(contactAggregate, created, identified)
      .when(change({ custom_attributes: { 'Favourite Colour 🎨!': 'red' } }))
      .then({ type: 'ContactAttributesSet', data: { attributes: { favourite_colour: 'red' } } })
    given(contactAggregate, created, identified)
      .when(change({ custom_attributes: { '🎨': 'red' } }))
      .refuses('malformed', 'custom_attributes has an empty key')
    given(contactAggregate, created, identified)
      .when(change({ custom_attributes: { 'First Name': 'x' } }))
      .refuses('invalid', "Custom attributes key 'First Name' is the name of a built-in contact property")
  })

  it('can be deleted once and is not there for changes afterwards', () => {
    const deleted: ContactEvent = { type: 'ContactDeleted', data: {} }
    given(contactAggregate, created, identified)
      .when({ type: 'DeleteContact', ...basics })
      .then(deleted)
    given(contactAggregate, created, identified, deleted)
      .when({ type: 'DeleteContact', ...basics })
      .refuses('notFound', 'Not found: Record missing')
    given(contactAggregate, created, identified, deleted)
      .when(change({ first_name: 'B' }))
      .refuses('notFound', /missing/)
  })

  it('is redacted once, deleted or not', () => {
    const redacted: ContactEvent = { type: 'ContactRedacted', data: { email_address: 'redacted-1@example.com' } }
    const command = { type: 'RedactContact', redactedAs: 'redacted-1@example.com', ...basics } as const
    given(contactAggregate, created, identified).when(command).then(redacted)
    given(contactAggregate, created, identified, { type: 'ContactDeleted', data: {} }).when(command).then(redacted)
    given(contactAggregate, created, identified, redacted).when(command).thenNothing()
    given(contactAggregate)
      .when(command)
      .refuses('notFound', /missing/)
  })
})
