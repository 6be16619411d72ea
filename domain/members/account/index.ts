import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { account } from './model.ts'
import { accounts } from './rules.ts'

/** Accounts of members have no endpoints: the pages of the members' side alone use them. */
export const accountResource = serve(account, accounts, {
  title: 'Members::Account',
  root: 'members_account',
  category: 'contacts',
  under: workspace,
  indexes: [{ fields: ['contact_id'] }],
  operations: {},
})
