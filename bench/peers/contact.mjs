import { randomUUID } from 'node:crypto'

const NOBODY = {
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

/** The same decision as the project's `CreateContact` comes to: two events, and an address that nobody else may have. */
export const createContact = (state, n) => {
  if (state.exists) return []
  const personal = {
    ...NOBODY,
    email_address: `ada.lovelace.${n}@example.com`,
    first_name: 'Ada',
    last_name: 'Lovelace',
  }
  const cause = randomUUID()
  const metadata = {
    at: new Date().toISOString(),
    actor: 'key:1',
    $correlationId: cause,
    $causationId: cause,
    team_id: 1,
    workspace_id: 1,
  }
  return [
    { type: 'ContactCreated', data: { uuid: randomUUID(), time_zone: null, personal }, metadata },
    { type: 'ContactIdentified', data: {}, metadata },
  ]
}

export const initialState = () => ({ exists: false })

export const evolve = (state, event) => (event.type === 'ContactCreated' ? { exists: true } : state)
