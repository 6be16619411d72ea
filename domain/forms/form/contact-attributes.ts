import { attributeKey } from '../../contacts/public.ts'
import type { ActContext, Events, StreamRecords } from '../../kernel/decide/rules.ts'
import { comparable } from '../../kernel/values/comparable.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { field, fieldSet, form } from './model.ts'

const { event } = form

/** Ids from here on belong to the forms of contacts' attributes. Other forms count up from 1. */
const FORMS_OF_CONTACTS = 2 ** 40

/** Highest number of attributes that the visitors of one page may make up in a day. */
const NEW_FROM_PAGE = 20

/**
 * Returns the id of the form whose fields are the custom attributes of a workspace's contacts. It follows from the workspace, so that all who find that
 * an attribute is new write to one stream, and the form and each of its fields exist once.
 */
export const formOfContacts = (workspaceId: number): number => FORMS_OF_CONTACTS + workspaceId

/** Attributes that a contact has or gets. */
export type NewAttributes = {
  readonly keys: readonly string[]
  /** Page whose visitors sent them; `null` when they came from elsewhere, and have no bound. */
  readonly from_page_id: number | null
}

/** Returns the attributes of contacts for which a form has fields, in the form in which they are compared. */
export const attributesIn = (records: StreamRecords): ReadonlySet<string> =>
  new Set(records.all(field).map(({ key }) => comparable(key)))

const dayOf = (at: string): string => at.slice(0, 10)

/** Returns how many attributes may still be added today. */
const roomFor = (page: number | null, records: StreamRecords, at: string): number => {
  if (page === null) return Number.POSITIVE_INFINITY
  const today = records
    .all(field)
    .filter(({ page_id, created_at }) => page_id === page && dayOf(created_at) === dayOf(at))
  return Math.max(0, NEW_FROM_PAGE - today.length)
}

/**
 * Adds the fields of attributes that have none yet. What a page sends beyond its bound gets no field. The command brings an id for the set of fields
 * and one for each key.
 */
export const ensureFields = ({
  records,
  wanted: { keys, from_page_id: page_id },
  ids,
  at,
}: ActContext<typeof form, NewAttributes>): Events<typeof form> => {
  const known = attributesIn(records)
  const missing = keys.filter((key) => !known.has(comparable(key)))
  const added = missing
    .filter((key, n) => missing.findIndex((other) => comparable(other) === comparable(key)) === n)
    .slice(0, roomFor(page_id, records, at))
  if (added.length === 0) return []
  const [set] = records.all(fieldSet)
  const field_set_id = set?.id ?? idAt(ids, 0)
  const begin = records.all(field).reduce((most, { sort_order }) => Math.max(most, (sort_order ?? -1) + 1), 0)
  const fields = added.map((key, n) =>
    event.ContactAttributeAdded({
      field_id: idAt(ids, n + 1),
      field_set_id,
      label: key,
      field_type: null,
      allow_multiple: false,
      key,
      hidden: false,
      sort_order: begin + n,
      page_id,
    }),
  )
  return set ? fields : [event.FormFieldSetAdded({ field_set_id, title: 'Custom attributes' }), ...fields]
}

/** Why a field of the form of contacts' attributes cannot have a key: a contact has to be able to have it, and its contacts go on having the former one. */
export const keyRefusal = (records: StreamRecords, before: string | undefined, key: string) => {
  if (before === key || !records.root(form)?.of_contacts) return undefined
  if (before !== undefined)
    return refuse.invalid('Key of a contact attribute cannot be changed, since contacts have it', 'key', 'reserved')
  const stored = attributeKey(key)
  if (stored === key) return undefined
  const message = stored === undefined ? 'contacts cannot have it' : `contacts have it as '${stored}'`
  return refuse.invalid(`Key is not that of a contact attribute: ${message}`, 'key', 'invalid')
}

/** Refuses to remove the form of contacts' attributes. */
export const refuseRemoval = ({ before }: ActContext<typeof form>) =>
  before.of_contacts
    ? refuse.invalid('Form has the custom attributes of the contacts, and cannot be removed', 'base', 'reserved')
    : undefined
