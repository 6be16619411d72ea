import type { JsonObject } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'

/** What identifies a person; sealed in the log and in the read models. */
export interface Personal extends JsonObject {
  readonly email_address: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly phone_number: string | null
  readonly fb_url: string | null
  readonly twitter_url: string | null
  readonly instagram_url: string | null
  readonly linkedin_url: string | null
  readonly website_url: string | null
}

export const NOBODY: Personal = {
  email_address: null,
  first_name: null,
  last_name: null,
  phone_number: null,
  fb_url: null,
  twitter_url: null,
  instagram_url: null,
  linkedin_url: null,
  website_url: null,
}

/** The names below are storage formats: change them only together with an upcast. `personal` is null once erased. */
export type ContactEvent =
  | {
      readonly type: 'ContactCreated'
      readonly data: {
        readonly uuid: string
        readonly time_zone: string | null
        readonly personal: Personal | null
      }
    }
  /** Became known by e-mail address or telephone number. */
  | { readonly type: 'ContactIdentified'; readonly data: Record<string, never> }
  /** Personal details as a whole, because they are sealed together; `changed` names the ones that differ. */
  | {
      readonly type: 'ContactDetailsChanged'
      readonly data: { readonly changed: readonly string[]; readonly personal: Personal | null }
    }
  | { readonly type: 'ContactTimeZoneSet'; readonly data: { readonly time_zone: string | null } }
  | { readonly type: 'ContactAttributesSet'; readonly data: { readonly attributes: Readonly<Record<string, string>> } }
  | { readonly type: 'ContactTagApplied'; readonly data: { readonly applied_tag_id: number; readonly tag_id: number } }
  | { readonly type: 'ContactTagRemoved'; readonly data: { readonly applied_tag_id: number; readonly tag_id: number } }
  | { readonly type: 'ContactUnsubscribed'; readonly data: Record<string, never> }
  | { readonly type: 'ContactDeleted'; readonly data: Record<string, never> }
  /** Erased from the record; the key of the sealed parts is destroyed with it. */
  | { readonly type: 'ContactRedacted'; readonly data: { readonly email_address: string } }

export const contactEvents = firstVersions<ContactEvent['type']>(
  'ContactCreated',
  'ContactIdentified',
  'ContactDetailsChanged',
  'ContactTimeZoneSet',
  'ContactAttributesSet',
  'ContactTagApplied',
  'ContactTagRemoved',
  'ContactUnsubscribed',
  'ContactDeleted',
  'ContactRedacted',
)
