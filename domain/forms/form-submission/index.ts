import type { KnownEvent } from '../../kernel/model/event-types.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { byId, idFilter, list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { formSubmission } from './model.ts'
import { formSubmissions } from './rules.ts'

type Submitted = KnownEvent<typeof formSubmission>

const originOf = ({ data }: Submitted) => ({ page_id: idIn(data.page_id), funnel_id: idIn(data.funnel_id) })

const detailsOf = ({ data }: Submitted) => ({ page_id: idIn(data.page_id), contact_id: idIn(data.contact_id) })

/** FormSubmission: log of what visitors sent with the forms of pages. */
export const formSubmissionResource = serve(formSubmission, formSubmissions, {
  title: 'FormSubmission',
  root: 'form_submission',
  category: 'forms',
  under: workspace,
  person: 'person_id',
  operations: {
    listFormSubmissions: list('/workspaces/{workspace_id}/form_submissions', {
      filters: { id: byId, page_id: idFilter('page_id'), contact_id: idFilter('contact_id') },
    }),
    getFormSubmissions: show('/form_submissions/{id}'),
  },
  publishes: {
    '$form_submission.created': {
      on: ['PageFormSubmitted'],
      about: 'Somebody sent a form.',
      alias: true,
      details: detailsOf,
      origin: originOf,
    },
    $optin: {
      on: ['PageFormSubmitted', 'PageFormConfirmed'],
      when: ({ data }) => typeof data.page_id === 'number' && data.awaits_confirmation !== true,
      about:
        'Somebody opted in on a page, and confirmed it where the page asks for that; `details` has page and contact.',
      details: detailsOf,
      origin: originOf,
      concerns: ({ data }) => ({ contact_id: idIn(data.contact_id), conditions: { page_id: idIn(data.page_id) } }),
    },
  },
})
