import { contact } from '../contacts/contact/model.ts'
import { ask } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { run } from './run/model.ts'
import { runs } from './run/rules.ts'
import { findBrokenSteps } from './workflow/broken-steps.ts'
import { workflow } from './workflow/model.ts'
import { workflows } from './workflow/rules.ts'

/** Cancels the runs of a workflow that was disabled. Those that began after it was enabled again go on. */
export const disabledWorkflowsCancelRuns = policy({
  name: 'disabled-workflows-cancel-runs',
  on: [workflow.event.WorkflowDisabled],
  async react({ stream }, documents) {
    const { id } = parseStream(stream)
    const found = await readerOver(documents).one(workflow, id)
    if (!found) return []
    const enabling = found.enabled ? found.enabling - 1 : found.enabling
    const cancel = (of: number) => ask(runs, of, 'cancel', { reason: 'the workflow was disabled', enabling })
    return [{ each: run.name, where: { active_in: id }, one: cancel }]
  },
})

/** Cancels the runs of a contact who was deleted or erased. */
export const deletedContactsLeaveRuns = policy({
  name: 'deleted-contacts-leave-runs',
  on: [contact.event.ContactDeleted, contact.event.ContactRedacted],
  react: ({ stream, metadata: { workspace_id = 0 } }) => [
    {
      each: run.name,
      where: { workspace_id, contact_id: parseStream(stream).id },
      one: (id) => ask(runs, id, 'cancel', { reason: 'the contact is gone' }),
    },
  ],
})

/** Notes the steps of a workflow that fail for everybody, when the first run has failed at one of them. */
export const brokenStepsAreNoted = policy({
  name: 'broken-steps-are-noted',
  on: [run.event.RunStepPassed],
  when: ({ data: { outcome } }) => outcome === 'failed',
  async react({ stream, data: { step_id } }, documents) {
    const read = readerOver(documents)
    const found = await read.one(run, parseStream(stream).id)
    const of = await read.one(workflow, found?.workflow_id)
    if (!of) return []
    const broken = await findBrokenSteps(of, documents)
    return broken.some((one) => one.step_id === step_id) ? [ask(workflows, of.id, 'noteBroken', { broken })] : []
  },
})
