import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { keyOfSession, keyOfWorkspace } from '../../kernel/model/personal.ts'
import { formSubmission } from './model.ts'

/** Seals the data under the contact. The session's key is destroyed with its contact, too. */
const seal = ({ after, workspaceId }: DecisionContext<typeof formSubmission>) => ({
  person_id:
    after.contact_id ?? (after.session_id === null ? keyOfWorkspace(workspaceId) : keyOfSession(after.session_id)),
})

/** Rules of what visitors sent: a record is made once and never changed. */
export const formSubmissions = decider(formSubmission, { rules: rules(formSubmission, { save: [seal] }) })
