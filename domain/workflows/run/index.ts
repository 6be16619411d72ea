import { idIn } from '../../kernel/values/ids.ts'
import { idFilter, list, read, show, textFilter } from '../../resources/operations.ts'
import type { Owner } from '../../resources/owner.ts'
import type { Resource } from '../../resources/resource.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { named } from '../../resources/view.ts'
import { creates } from '../../resources/writes.ts'
import { pass, RUN_STATUSES, run } from './model.ts'
import { rehearsalFields, rehearsalSchema, rehearseWorkflow } from './rehearse.ts'
import { runs } from './rules.ts'
import { readTrace, traceSchema } from './trace.ts'

const underWorkflow: Owner = { param: 'workflow_id', resource: 'workflow', field: 'workflow_id' }
const RUNS = '/workflows/{workflow_id}/runs'

/** Workflows::Run: a pass of a contact through a workflow. */
export const runResource: Resource = serve(run, runs, {
  title: 'Workflows::Run',
  root: 'run',
  category: 'workflows',
  under: underWorkflow,
  reads: ['workflows/version', 'workflows/step'],
  indexes: [
    { fields: ['workspace_id', 'contact_id'] },
    { fields: ['current_step_id'] },
    { fields: ['active_in'] },
    { fields: ['active_in', 'version_id'] },
    { fields: ['active_in'], sort: 'contact_id' },
    { fields: ['completed_in'] },
    { fields: ['completed_in'], sort: 'contact_id' },
    { fields: ['held_reason'] },
  ],
  view: { type: { schema: nullableString, of: () => null } },
  operations: {
    listWorkflowRuns: list(RUNS, {
      filters: { contact_id: idFilter('contact_id'), status: { ...textFilter('status'), among: RUN_STATUSES } },
    }),
    createWorkflowRun: creates(RUNS, {
      consequence: 'sends a person through a workflow, which may write to them',
      summary: 'Starts a run for a contact by hand',
    }),
    getWorkflowRun: show('/workflows/runs/{id}'),
    rehearseWorkflow: read('/workflows/{workflow_id}/rehearse', {
      method: 'POST',
      level: 'read',
      beyondContract: true,
      summary:
        'What would become of each step if a contact went through the workflow as it is edited; nothing takes effect',
      personal: true,
      body: { root: 'run', fields: rehearsalFields, mode: 'create' },
      schema: rehearsalSchema,
      read: rehearseWorkflow,
    }),
    traceWorkflowRun: read('/workflows/runs/{id}/trace', {
      schema: traceSchema,
      read: readTrace,
      past: true,
      beyondContract: true,
      summary: 'The steps of a run: what became of each, when and why',
    }),
  },
  publishes: {
    '$workflow.webhook_step_reached': {
      on: ['RunStepPassed'],
      when: ({ data }) => idIn(data.endpoint_id) !== null,
      about: 'A run reached a step that delivers a webhook; sent to the endpoint of the step alone.',
      addressed: ({ data }) => Number(data.endpoint_id),
      details: ({ data }) => ({ workflows_step_id: idIn(data.step_id) }),
    },
  },
})

/** Passes of steps. They have no endpoints of their own: the trace of the run shows them, and statistics count them. */
export const passResource: Resource = serve(pass, runs, {
  title: 'Workflows::Run',
  root: 'workflows_runs_pass',
  category: 'workflows',
  ids: 'timeOrdered',
  under: { param: 'run_id', resource: 'workflows/run', field: 'run_id' },
  indexes: [{ fields: ['step_id'], sort: 'left_at' }],
  shows: { schema: named.schema, present: ({ id, public_id, outcome }) => ({ id, public_id, name: outcome }) },
  operations: {},
})
