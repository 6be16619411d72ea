import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { session } from './model.ts'
import { sessions } from './rules.ts'

/** Sessions of visitors; contacts and orders show them, and they have no endpoints. */
export const sessionResource = serve(session, sessions, {
  ids: 'timeOrdered',
  title: 'Visits::Session',
  root: 'visits_session',
  category: 'contacts',
  under: workspace,
  indexes: [{ fields: ['contact_id'] }],
  operations: {},
})
