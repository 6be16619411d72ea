import { serve } from '../../resources/serve.ts'
import { team } from '../owners.ts'
import { credential } from './model.ts'
import { credentials } from './rules.ts'

/** Credentials have no endpoints: only the pages on which people sign in use them. */
export const credentialsResource = serve(credential, credentials, {
  title: 'Credentials',
  root: 'credentials',
  category: 'account',
  under: team,
  indexes: [{ fields: ['has_signed_in'] }],
  operations: {},
})
