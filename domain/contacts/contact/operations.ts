import { contactSelector } from '../../filters/select.ts'
import type { Json, JsonObject } from '../../kernel/event.ts'
import type { FieldTable } from '../../kernel/field.ts'
import { list as listOf, reference, text, textMap } from '../../kernel/fields.ts'
import type { Operation, WriteInput } from '../../kernel/resource.ts'
import { basics } from '../../kinds/former.ts'
import { byId, change, create, flagFilter, idFilter, list, remove, show } from '../../kinds/operations.ts'
import { emailClaim } from './aggregate.ts'
import type { ContactCommand, ContactFields } from './decide.ts'
import { EMAIL_DIGEST } from './lookup.ts'

const EMAIL = { test: /^\s*[^\s@]+@[^\s@]+\.[^\s@.]+\s*$/, says: 'is invalid' }

/** ContactParameters; the same for creating, changing and upserting. */
const fields: FieldTable = {
  email_address: text({ nullable: true, form: EMAIL }),
  first_name: text({ nullable: true }),
  last_name: text({ nullable: true }),
  phone_number: text({ nullable: true }),
  time_zone: text({ nullable: true, about: 'Human-readable zone name' }),
  fb_url: text({ nullable: true, max: 2048 }),
  twitter_url: text({ nullable: true, max: 2048 }),
  instagram_url: text({ nullable: true, max: 2048 }),
  linkedin_url: text({ nullable: true, max: 2048 }),
  website_url: text({ nullable: true, max: 2048 }),
  tag_ids: listOf(reference('contacts/tag'), { about: 'Replaces the tags of the contact' }),
  custom_attributes: textMap({ about: 'Merged into the attributes of the contact; unknown keys are created' }),
}

/** Blank text means none; addresses are kept without outer space. */
const clean = (sent: JsonObject): ContactFields =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value]
      const trimmed = name === 'email_address' ? value.trim() : value
      return [name, trimmed === '' ? null : trimmed]
    }),
  )

const isEmpty = (value: Json | undefined): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** An upsert never clears: empty values are as good as not sent. */
const withoutEmpty = (sent: JsonObject): JsonObject => {
  const { custom_attributes: attributes, ...rest } = sent
  const given = Object.entries((attributes ?? {}) as JsonObject).filter(([, value]) => !isEmpty(value))
  const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isEmpty(value)))
  return attributes === undefined ? kept : { ...kept, custom_attributes: Object.fromEntries(given) }
}

const withFields = (input: WriteInput, sent: JsonObject) => {
  const cleaned = clean(sent)
  return { fields: cleaned, appliedTagIds: (cleaned.tag_ids ?? []).map(() => input.mint()), ...basics(input) }
}

const createContact = (input: WriteInput, sent: JsonObject = input.fields): ContactCommand => ({
  type: 'CreateContact',
  uuid: input.uuid(),
  ...withFields(input, sent),
})

const changeContact = (input: WriteInput, sent: JsonObject = input.fields): ContactCommand => ({
  type: 'ChangeContact',
  ...withFields(input, sent),
})

const COLLECTION = '/workspaces/{workspace_id}/contacts'

export const contactOperations: Readonly<Record<string, Operation>> = {
  listContacts: list(COLLECTION, {
    filters: {
      email_address: { type: 'digest', field: 'email_digest', purpose: EMAIL_DIGEST },
      id: byId,
      tag_ids: idFilter('tag_ids'),
      is_active: flagFilter('is_active'),
    },
    where: { listed: true },
    select: contactSelector,
  }),
  createContacts: create(COLLECTION, 'contact', fields, { command: (input) => createContact(input) }),
  upsertContacts: create(`${COLLECTION}/upsert`, 'contact', fields, {
    summary: 'Creates a contact, or changes the one that has the e-mail address; never clears a value',
    upsert: {
      claim: (input) => {
        const address = clean(input.fields).email_address
        return address && input.owner ? emailClaim(Number(input.owner.id), address) : undefined
      },
    },
    command: (input) => {
      const sent = withoutEmpty(input.fields)
      return input.exists ? changeContact(input, sent) : createContact(input, sent)
    },
  }),
  getContacts: show('/contacts/{id}'),
  updateContacts: change('/contacts/{id}', 'contact', fields, { command: (input) => changeContact(input) }),
  removeContacts: remove('/contacts/{id}', {
    command: (input): ContactCommand => ({ type: 'DeleteContact', ...basics(input) }),
  }),
  /** The reference documents 200, clients observe 204: the answer has no body either way. */
  gdpr_destroyContacts: remove('/contacts/{id}/gdpr_destroy', {
    summary: 'Erases the person for good; the record stays',
    effects: ['destroyKey'],
    command: (input): ContactCommand => ({
      type: 'RedactContact',
      redactedAs: `redacted-${input.uuid().replaceAll('-', '').slice(0, 20)}@example.com`,
      ...basics(input),
    }),
  }),
}
