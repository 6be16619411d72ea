import type { Reader } from '../kernel/decide/rules.ts'
import { recordOf } from '../kernel/model/fold.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import { inStretches } from '../kernel/ports/read-on.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import { snakeCase } from './contact/attributes.ts'
import { contact, hasEnded, isActive } from './contact/model.ts'

type Contact = RecordOf<typeof contact>

const open = recordOf(contact)

const column =
  <K extends keyof Contact & string>(name: K) =>
  (record: Contact): Json | undefined =>
    record[name]

/** Columns that every contact has, as its own endpoint shows them. Objects are left out, and tags are given by their ids. */
const BUILT_IN: ReadonlyMap<string, (record: Contact) => Json | undefined> = new Map(
  Object.entries({
    id: column('id'),
    public_id: column('public_id'),
    workspace_id: column('workspace_id'),
    email_address: column('email_address'),
    first_name: column('first_name'),
    last_name: column('last_name'),
    phone_number: column('phone_number'),
    time_zone: column('time_zone'),
    fb_url: column('fb_url'),
    twitter_url: column('twitter_url'),
    instagram_url: column('instagram_url'),
    linkedin_url: column('linkedin_url'),
    website_url: column('website_url'),
    tag_ids: column('tag_ids'),
    uuid: column('uuid'),
    anonymous: ({ identified }: Contact) => (identified ? 0 : 1),
    is_active: isActive,
    unsubscribed_at: column('unsubscribed_at'),
    last_notification_email_sent_at: column('last_notification_email_sent_at'),
    email_suppression_reason: column('email_suppression_reason'),
    created_at: column('created_at'),
    updated_at: column('updated_at'),
    deleted_at: column('deleted_at'),
  }),
)

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the title of a column: `email_address` → `Email address`; a custom key `source_platform` → `Source Platform`. */
export const columnTitle = (field: string): string => {
  const words = field.split('_')
  return BUILT_IN.has(field) ? capitalized(words.join(' ')) : words.map(capitalized).join(' ')
}

/** Returns the cells of a contact. `null` stands for a custom attribute that it lacks. @param document the contact, its personal part opened */
export const cellsOf = (fields: readonly string[], document: Document): readonly Json[] => {
  const record = open(document)
  const { custom_attributes: custom } = record
  return fields.map((field) => {
    const builtIn = BUILT_IN.get(field)
    if (builtIn) return builtIn(record) ?? null
    return Object.hasOwn(custom, field) ? (custom[field] ?? null) : null
  })
}

/** Returns whether a contact is neither deleted nor erased. */
export const isLiveContact = (document: Document): boolean => !hasEnded(open(document))

const keysOf = ({ custom_attributes: custom }: JsonObject): readonly string[] => Object.keys(Object(custom))

/** Number of contacts that are read at a time. */
const BATCH = 100

/**
 * Returns the fields that no contact of the workspace has: neither built-in properties nor keys of custom attributes in their stored spelling.
 * Keys are looked up in contacts, because no list of them is kept: each new contact can bring a new key. One walk looks for all of them, and other
 * requests are served between its batches.
 */
export const unknownColumns = async (
  fields: readonly string[],
  workspaceId: number,
  { documents }: Reader,
): Promise<readonly string[]> => {
  const unknown = new Set(fields.filter((field) => !BUILT_IN.has(field)))
  const sought = new Set([...unknown].filter((field) => field !== '' && snakeCase(field) === field))
  const where = { workspace_id: workspaceId, listed: { $in: [true, false] } }
  const contacts = inStretches((next) => documents.find(contact.name, next), { where, limit: BATCH })
  if (sought.size > 0)
    for await (const found of contacts) {
      for (const key of found.flatMap(keysOf)) if (sought.delete(key)) unknown.delete(key)
      if (sought.size === 0) break
    }
  return fields.filter((field) => unknown.has(field))
}
