import type { Actor } from '../domain/kernel/decide/command.ts'
import type { RecordCommand } from '../domain/kernel/decide/rules.ts'
import type { JsonObject } from '../domain/kernel/values/event.ts'

const FIRST = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Frances',
  'Tony',
  'Radia',
  'Ken',
  'Lynn',
  'Niklaus',
]
const LAST = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Allen',
  'Hoare',
  'Perlman',
  'Thompson',
  'Conway',
]

/** Request fields of the n-th contact. Every contact has a different address. */
export const contactFields = (n: number) => {
  const first_name = FIRST[n % FIRST.length]!
  const last_name = LAST[n % LAST.length]!
  return { email_address: `${first_name}.${last_name}.${n}@example.com`.toLowerCase(), first_name, last_name }
}

export const BENCHMARK: Actor = { label: 'key:1' }

/** Command that creates the n-th contact. */
export const createContact = (
  id: number,
  n: number,
  wanted: JsonObject = {},
  ids: readonly number[] = [],
): RecordCommand => ({
  type: 'create',
  id,
  wanted: { uuid: crypto.randomUUID(), ...contactFields(n), ...wanted },
  ids,
  at: new Date().toISOString(),
  actor: BENCHMARK,
})

/** A contact as the API shows it, for the bare server, which computes nothing. */
export const presented = {
  id: 115_911_559_282_688,
  public_id: 'kQzTdRwXvB',
  workspace_id: 115_911_559_151_616,
  anonymous: 0,
  ...contactFields(1),
  phone_number: null,
  fb_url: null,
  twitter_url: null,
  instagram_url: null,
  linkedin_url: null,
  website_url: null,
  time_zone: null,
  uuid: '7a1a4f8e-2f5b-4d6f-9a3c-0e8a5d1c9b7e',
  unsubscribed_at: null,
  last_notification_email_sent_at: null,
  email_suppression_reason: null,
  is_active: true,
  deleted_at: null,
  created_at: '2025-11-21T14:00:00.000Z',
  updated_at: '2025-11-21T14:00:00.000Z',
  tags: [],
  custom_attributes: {},
  visits: { first_visit: null, last_visit: null, last_visit_with_utm: null },
}
