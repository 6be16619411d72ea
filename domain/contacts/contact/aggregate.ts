import type { Aggregate, ClaimWanted } from '../../kernel/decider.ts'
import { type ContactCommand, decide } from './decide.ts'
import { type ContactEvent, contactEvents } from './events.ts'
import { type ContactState, evolve, initial } from './state.ts'

/** The claim on an e-mail address within a workspace; live contacts hold it. */
export const emailClaim = (workspaceId: number, address: string): ClaimWanted => ({
  scope: `contact.email:${workspaceId}`,
  value: address,
  personal: true,
  field: 'email_address',
  says: 'Email address has already been taken',
})

/** Contact: a person of a workspace, with the tags applied to it. */
export const contactAggregate: Aggregate<ContactState, ContactCommand, ContactEvent> = {
  name: 'contact',
  initial,
  events: contactEvents,
  decide,
  evolve,
  claims: ({ status, personal, workspaceId }) =>
    status === 'live' && personal.email_address ? [emailClaim(workspaceId, personal.email_address)] : [],
}
