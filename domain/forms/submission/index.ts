import { crud } from '../../resources/crud.ts'
import { serve } from '../../resources/serve.ts'
import { answer, submission } from './model.ts'
import { submissions } from './rules.ts'

const SUBMISSIONS = '/forms/{form_id}/submissions'
const ANSWERS = '/forms/submissions/{submission_id}/answers'

/** Forms::Submission. */
export const submissionResource = serve(submission, submissions, {
  title: 'Forms::Submission',
  root: 'forms_submission',
  category: 'forms',
  under: { param: 'form_id', resource: 'form', field: 'form_id' },
  person: 'contact_id',
  indexes: [{ fields: ['form_id'], sort: 'contact_id' }],
  operations: crud('FormsSubmissions', SUBMISSIONS, '/forms/submissions/{id}'),
})

/** Forms::Submissions::Answer. */
export const answerResource = serve(answer, submissions, {
  title: 'Forms::Submissions::Answer',
  root: 'forms_submissions_answer',
  category: 'forms',
  under: { param: 'submission_id', resource: 'forms/submission', field: 'submission_id' },
  operations: crud('FormsSubmissionsAnswers', ANSWERS, '/forms/submissions/answers/{id}'),
})
