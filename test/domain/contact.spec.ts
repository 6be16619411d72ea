import { contact } from '../../domain/contacts/contact/model.ts'
import { contacts } from '../../domain/contacts/contact/rules.ts'
import { emptyPersonalOf } from '../../domain/kernel/model/fold.ts'
import { ask, given } from '../support/decider.ts'

const NOBODY = emptyPersonalOf(contact)

const ada = { ...NOBODY, email_address: 'ada@example.com', first_name: 'Ada' }
const created = { type: 'ContactCreated', data: { uuid: 'u', time_zone: null, personal: ada } }
const identified = { type: 'ContactIdentified', data: {} }
const applied = (id: number, tag: number) => ({
  type: 'ContactTagApplied',
  data: { applied_tag_id: id, tag_id: tag },
})
const change = (wanted: object, ids: readonly number[] = []) => ask('change', wanted, { ids })
const on = (id: number) => ({ child: 'applied_tags', id })

describe('contact', () => {
  it('is identified from the start when it comes with an e-mail address', () => {
    given(contacts)
      .when(ask('create', { uuid: 'u', email_address: 'ada@example.com', first_name: 'Ada' }))
      .then(created, identified)
  })

  it('is anonymous until it has an address or a number', () => {
    const unknown = { ...NOBODY, first_name: 'Ada' }
    const anonymous = { type: 'ContactCreated', data: { uuid: 'u', time_zone: null, personal: unknown } }
    given(contacts)
      .when(ask('create', { uuid: 'u', first_name: 'Ada' }))
      .then(anonymous)
    given(contacts, anonymous)
      .when(change({ phone_number: '+1' }))
      .then(
        {
          type: 'ContactDetailsChanged',
          data: { changed: ['phone_number'], personal: { ...unknown, phone_number: '+1' } },
        },
        identified,
      )
  })

  it('has no events when nothing differs', () => {
    given(contacts, created, identified)
      .when(change({ first_name: 'Ada' }))
      .thenNothing()
    given(contacts, created, identified, applied(5, 50))
      .when(change({ tag_ids: [50] }, [9]))
      .thenNothing()
    given(contacts, created, identified, {
      type: 'ContactAttributesSet',
      data: { attributes: { colour: 'red' } },
    })
      .when(change({ custom_attributes: { Colour: 'red' } }))
      .thenNothing()
  })

  it('replaces its tags as a whole and keeps those that stay', () => {
    given(contacts, created, identified, applied(5, 50), applied(6, 60))
      .when(change({ tag_ids: [60, 70, 70] }, [8, 9, 10]))
      .then({ type: 'ContactTagRemoved', data: { applied_tag_id: 5, tag_id: 50 } }, applied(8, 70))
  })

  it('takes a tag once', () => {
    given(contacts, created, identified, applied(5, 50))
      .when(ask('create', { tag_id: 50 }, on(6)))
      .refuses('invalid', 'Tag has already been applied to this contact')
    given(contacts, created, identified, applied(5, 50))
      .when(ask('create', { tag_id: 50 }, on(5)))
      .thenNothing()
    given(contacts, created, identified, applied(5, 50))
      .when(ask('untag', { tag_ids: [50] }))
      .then({ type: 'ContactTagRemoved', data: { applied_tag_id: 5, tag_id: 50 } })
    given(contacts, created, identified)
      .when(ask('untag', { tag_ids: [50] }))
      .thenNothing()
  })

  it('spells attribute keys in snake case and refuses what it cannot spell', () => {
    given(contacts, created, identified)
      .when(change({ custom_attributes: { 'Favourite Colour 🎨!': 'red' } }))
      .then({ type: 'ContactAttributesSet', data: { attributes: { favourite_colour: 'red' } } })
    given(contacts, created, identified)
      .when(change({ custom_attributes: { '🎨': 'red' } }))
      .refuses('malformed', 'custom_attributes has an empty key')
    given(contacts, created, identified)
      .when(change({ custom_attributes: { 'First Name': 'x' } }))
      .refuses('invalid', "Custom attributes key 'First Name' is the name of a built-in contact property")
  })

  it('keeps the combining marks of every script in attribute keys, and drops what is not seen', () => {
    const keys = {
      'पसंदीदा रंग': 'पसंदीदा_रंग',
      ชื่อเล่น: 'ชื่อเล่น',
      'Cafe\u0301 Crème': 'café_crème',
      'shoe\u200b size': 'shoe_size',
      éCole: 'é_cole',
    }
    for (const [sent, stored] of Object.entries(keys)) {
      given(contacts, created, identified)
        .when(change({ custom_attributes: { [sent]: 'x' } }))
        .then({ type: 'ContactAttributesSet', data: { attributes: { [stored.normalize('NFC')]: 'x' } } })
    }
    given(contacts, created, identified)
      .when(change({ custom_attributes: { '\u0301': 'x' } }))
      .refuses('malformed', 'custom_attributes has an empty key')
  })

  it('refuses two attribute keys of one request that come to the same', () => {
    const pairs = [
      ['City', 'city'],
      ['shoe size', 'shoe-size'],
      ['é', 'e\u0301'],
      ['a\u200bb', 'ab'],
    ] as const
    for (const [one, other] of pairs) {
      given(contacts, created, identified)
        .when(change({ custom_attributes: { [one]: 'x', [other]: 'x' } }))
        .refuses('invalid', /^Custom attributes keys '.*' and '.*' are one key/)
    }
  })

  it('can be deleted once, and cannot be changed afterwards', () => {
    const deleted = { type: 'ContactDeleted', data: {} }
    given(contacts, created, identified).when(ask('remove')).then(deleted)
    given(contacts, created, identified, deleted).when(ask('remove')).refuses('notFound', 'Not found: Record missing')
    given(contacts, created, identified, deleted)
      .when(change({ first_name: 'B' }))
      .refuses('notFound', /missing/)
  })

  it('is redacted once, whether deleted or not', () => {
    const redacted = { type: 'ContactRedacted', data: { email_address: 'redacted-1@example.com' } }
    const command = ask('redact', { redacted_as: 'redacted-1@example.com' })
    given(contacts, created, identified).when(command).then(redacted)
    given(contacts, created, identified, { type: 'ContactDeleted', data: {} }).when(command).then(redacted)
    given(contacts, created, identified, redacted).when(command).thenNothing()
    given(contacts)
      .when(command)
      .refuses('notFound', /missing/)
  })
})
