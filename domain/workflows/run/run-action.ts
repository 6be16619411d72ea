import { contactTargets } from '../../contacts/public.ts'
import { ask } from '../../kernel/decide/ask.ts'
import { flag, reference } from '../../kernel/model/fields.ts'
import { job } from '../../resources/jobs/job.ts'
import { runs } from './rules.ts'

/** Contacts::RunWorkflowAction: starts a workflow for many contacts. */
export const runWorkflowAction = job({
  name: 'contacts/run_workflow_action',
  title: 'Contacts::RunWorkflowAction',
  consequence: 'sends many people through a workflow',
  root: 'contacts_run_workflow_action',
  category: 'contacts',
  events: {
    queued: 'ContactsRunWorkflowActionQueued',
    started: 'ContactsRunWorkflowActionStarted',
    advanced: 'ContactsRunWorkflowActionAdvanced',
    completed: 'ContactsRunWorkflowActionCompleted',
    removed: 'ContactsRunWorkflowActionRemoved',
    held: 'ContactsRunWorkflowActionHeld',
    released: 'ContactsRunWorkflowActionReleased',
  },
  sealedFromTheStart: true,
  targets: contactTargets,
  attributes: {
    // Whether it is still enabled is checked for each contact.
    workflow_id: reference('workflow', { required: true, onTargetEnd: 'keep' }),
    force_run: flag({ default: false, about: 'true: also contacts who are in the workflow already' }),
  },
  paths: {
    list: ['listContactsRunWorkflowActions', '/workspaces/{workspace_id}/contacts/run_workflow_actions'],
    create: ['createContactsRunWorkflowActions', '/workspaces/{workspace_id}/contacts/run_workflow_actions'],
    show: ['getContactsRunWorkflowActions', '/contacts/run_workflow_actions/{id}'],
    remove: ['removeContactsRunWorkflowActions', '/contacts/run_workflow_actions/{id}'],
  },
  perform: ({ workflow_id, force_run }, contact_id) =>
    ask(runs, 'new', 'create', { workflow_id, contact_id, forced: force_run }),
})
