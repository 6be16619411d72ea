import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, rules } from '../../kernel/decide/rules.ts'
import { address } from './model.ts'

const TAKEN = 'Username has already been taken'

const noteTransport = ({ before, wanted }: ActContext<typeof address, { readonly verified: boolean }>) =>
  before.transport_verified === wanted.verified
    ? []
    : [address.event.SenderTransportNoted({ transport_verified: wanted.verified })]

/** Decider of senders. On the operator's domain an address belongs to one workspace, elsewhere it is unique in its own. */
export const addresses = decider(address, {
  rules: rules(address, { acts: { noteTransport } }),
  claims: ({ email_address, emails_domain_id, workspace_id }) => [
    {
      scope: `emails/address.email_address${emails_domain_id === null ? '' : `:${workspace_id}`}`,
      value: (email_address ?? '').toLowerCase(),
      field: 'username',
      says: TAKEN,
    },
  ],
})
