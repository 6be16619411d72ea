import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { keyOfSession, keyOfWorkspace } from '../../kernel/model/personal.ts'
import { formSubmission } from './model.ts'

/** Seals the data under the contact. The session's key is destroyed with its contact, too. */
const seal = ({ after, workspaceId }: DecisionContext<typeof formSubmission>) => ({
  person_id:
    after.contact_id ?? (after.session_id === null ? keyOfWorkspace(workspaceId) : keyOfSession(after.session_id)),
})

/** Notes that whoever has the address of the contact has sent it. */
const confirm = ({ before }: ActContext<typeof formSubmission>) => {
  const { awaits_confirmation, confirmed_at, contact_id, page_id, show_page_step_id, funnel_id } = before
  return awaits_confirmation && confirmed_at === null
    ? [formSubmission.event.PageFormConfirmed({ contact_id, page_id, show_page_step_id, funnel_id })]
    : []
}

/** Rules of what visitors sent: a record is made once, and nothing of it changes but that it is confirmed. */
export const formSubmissions = decider(formSubmission, {
  rules: rules(formSubmission, { save: [seal], acts: { confirm } }),
})
