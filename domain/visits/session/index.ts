import { readerOver } from '../../kernel/decide/rules.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
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
  publishes: {
    $view: {
      on: ['PageViewed'],
      when: ({ data }) => data.consent === true && data.bot === false,
      about: 'A visitor who consents to be counted viewed a page.',
      origin: ({ data }) => ({ page_id: idIn(data.page_id), funnel_id: idIn(data.funnel_id) }),
      concerns: async ({ stream, data }, documents) => ({
        contact_id: (await readerOver(documents).one(session, parseStream(stream).id))?.contact_id ?? null,
        conditions: { page_id: idIn(data.page_id) },
      }),
    },
  },
})
