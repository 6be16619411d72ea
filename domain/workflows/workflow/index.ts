import { Type } from 'typebox'
import { field, problem } from '../../kernel/model/field.ts'
import { group, integer } from '../../kernel/model/fields.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Json } from '../../kernel/values/event.ts'
import { namedRecord } from '../../resources/attributes/named-record.ts'
import { list, read, show, workspace } from '../../resources/operations.ts'
import type { Owner } from '../../resources/owner.ts'
import { dateTime, nullable, nullableInteger, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { named } from '../../resources/view.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { timerangeQuery } from '../../statistics/public.ts'
import { STEP_TYPE_NAMES, settingsSchema, stepTypeOf } from '../steps/index.ts'
import { acting } from './acting.ts'
import { brokenSteps, brokenStepsSchema } from './broken-steps.ts'
import { CONDITION_KINDS, conditionFields } from './conditions.ts'
import { impactSchema, readImpact } from './impact.ts'
import { step, trigger, version, workflow } from './model.ts'
import { workflows } from './rules.ts'
import { STATES, shownPlace, shownSettings, stateOf } from './shown-steps.ts'
import { readStepStats, stepStatsSchema } from './stats.ts'
import { STATUSES, statusOf } from './status.ts'
import { readStructure, structureSchema } from './structure.ts'
import { isTriggerKey, TRIGGER_KEYS } from './trigger-keys.ts'
import { ownFollowUps, wantedStep, wantedTrigger } from './wanted.ts'

/** Collection of runs, which this file must not import. */
const RUNS = 'workflows/run'

const cutSchema = nullable(
  Type.Object(
    { at: dateTime, workflow_ids: Type.Array(Type.Integer()) },
    {
      description:
        'The last time that workflows which lead to each other were stopped, this one among them. Beyond the contract',
    },
  ),
)
const presentCut = ({ chain_cut_at: at, cut_chain }: RecordOf<typeof workflow>): Json =>
  at === null ? null : { at, workflow_ids: [...cut_chain] }

const WORKFLOWS = '/workspaces/{workspace_id}/workflows'
const WORKFLOW = '/workflows/{id}'

/** Kinds of records that the settings of steps name. */
const SETTING_KINDS = STEP_TYPE_NAMES.flatMap((name) => Object.values(stepTypeOf(name).kinds))

/** Workflow: triggers that start runs of contacts, and the steps that a run goes through. */
export const workflowResource = serve(workflow, workflows, {
  title: 'Workflow',
  root: 'workflow',
  category: 'workflows',
  under: workspace,
  view: {
    status: { schema: Type.Enum([...STATUSES]), of: statusOf },
    disabled: { schema: Type.Boolean(), of: ({ enabled }) => !enabled },
    run_type: { schema: Type.Enum(['asynchronous', 'synchronous', 'one_time']), of: () => 'asynchronous' },
    active_runs_count: { schema: Type.Integer(), of: ({ id }, load) => load.count(RUNS, 'active_in', id) },
    completed_runs_count: { schema: Type.Integer(), of: ({ id }, load) => load.count(RUNS, 'completed_in', id) },
    chain_cut: { schema: cutSchema, of: presentCut },
    broken_steps: { schema: brokenStepsSchema, of: brokenSteps },
  },
  operations: {
    listWorkflows: list(WORKFLOWS),
    createWorkflow: creates(WORKFLOWS, { except: ['archived'] }),
    getWorkflow: show(WORKFLOW),
    updateWorkflow: changes(WORKFLOW, { method: 'PATCH' }),
    deleteWorkflow: removes(WORKFLOW),
    getWorkflowStructure: read(`${WORKFLOW}/structure`, {
      schema: structureSchema,
      read: readStructure,
      past: true,
      summary: 'The steps of a workflow with all branches, in the order of execution',
    }),
    getWorkflowImpact: read(`${WORKFLOW}/impact`, {
      schema: impactSchema,
      read: readImpact,
      beyondContract: true,
      summary: 'How many runs stand at each step, and what publishing the edits would change',
    }),
    enableWorkflow: asks(`${WORKFLOW}/enable`, 'enable', {
      consequence: 'starts something that may write to many people',
      ids: () => 1,
      idsOf: version,
      keepsWhatItReads: true,
      summary: 'Enables a workflow, or publishes the edits of one that is enabled',
    }),
    disableWorkflow: asks(`${WORKFLOW}/disable`, 'disable', { consequence: 'stops something for everybody in it' }),
  },
})

const underWorkflow: Owner = { param: 'workflow_id', resource: 'workflow', field: 'workflow_id' }
const TRIGGERS = '/workflows/{workflow_id}/triggers'
const TRIGGER = '/workflows/triggers/{id}'

/** Workflows::Trigger: an event that starts a workflow, with conditions. */
export const triggerResource = serve(trigger, workflows, {
  title: 'Workflows::Trigger',
  root: 'workflows_trigger',
  category: 'workflows',
  under: underWorkflow,
  reads: CONDITION_KINDS,
  view: {
    event_type_name: {
      schema: nullableString,
      of: ({ event_type_key: key }) => (isTriggerKey(key) ? TRIGGER_KEYS[key] : null),
    },
  },
  operations: {
    listWorkflowTriggers: list(TRIGGERS),
    createWorkflowTrigger: creates(TRIGGERS, { ...acting, input: conditionFields, wanted: wantedTrigger }),
    getWorkflowTrigger: show(TRIGGER),
    updateWorkflowTrigger: changes(TRIGGER, {
      ...acting,
      method: 'PATCH',
      input: conditionFields,
      wanted: wantedTrigger,
    }),
    deleteWorkflowTrigger: removes(TRIGGER),
  },
})

/** Name of a branch; a number names a variant. */
const branch = field<string | null>(
  Type.String(),
  { nullable: true, about: 'matched or unmatched; for a split test 0 or 1' },
  (value) =>
    typeof value === 'string' || typeof value === 'number'
      ? { value: String(value) }
      : problem('must be the name of a branch', 'type'),
)

const stepFields = {
  step_type_settings: group(Object.fromEntries(STEP_TYPE_NAMES.map((name) => [name, group(stepTypeOf(name).fields)])), {
    about: 'Exactly one key, the type of the step',
  }),
  parent_step_id: namedRecord(step.name, { nullable: true, about: 'Split into whose branch the step goes' }),
  branch,
  position: integer({ nullable: true, about: 'Position in its sequence, from 0' }),
  after_step_id: namedRecord(step.name, { nullable: true, about: 'Step directly behind which it goes' }),
}

const STEPS = '/workflows/{workflow_id}/steps'
const STEP = '/workflows/steps/{id}'

/** Workflows::Step: an action, a delay or a split. */
export const stepResource = serve(step, workflows, {
  title: 'Workflows::Step',
  root: 'workflows_step',
  category: 'workflows',
  under: underWorkflow,
  indexes: [{ fields: ['workspace_id', 'space_ids'] }],
  reads: [...new Set(SETTING_KINDS)],
  shows: {
    schema: Type.Object({
      id: Type.Integer(),
      public_id: Type.String(),
      workflow_id: Type.Integer(),
      step_type: Type.Enum([...STEP_TYPE_NAMES]),
      name: Type.String(),
      sort_order: Type.Integer({
        description: 'Position in its own sequence; the structure has the order of execution',
      }),
      state: Type.Enum([...STATES]),
      parent_step_id: nullableInteger,
      branch: nullableString,
      convergence_step_id: nullableInteger,
      step_type_settings: settingsSchema,
      created_at: dateTime,
      updated_at: dateTime,
    }),
    async present(record, load) {
      const { id, public_id, workflow_id, step_type, name, settings, created_at, updated_at } = record
      const place = shownPlace(id, await load.one(workflow.name, workflow_id))
      const state = stateOf(step_type, settings)
      const step_type_settings = shownSettings(record)
      const head = { id, public_id, workflow_id, step_type, name: name ?? '' }
      return { ...head, ...place, state, step_type_settings, created_at, updated_at }
    },
  },
  operations: {
    listWorkflowSteps: list(STEPS),
    createWorkflowStep: creates(STEPS, {
      ...acting,
      input: { ...stepFields, step_type_settings: { ...stepFields.step_type_settings, required: true } },
      wanted: wantedStep,
      followUps: ownFollowUps,
    }),
    getWorkflowStep: show(STEP),
    getWorkflowStepStats: read(`${STEP}/stats`, {
      schema: stepStatsSchema,
      query: timerangeQuery,
      read: readStepStats,
      beyondContract: true,
      summary: 'Who is at a step and who was, and what its mails brought in a range of time',
    }),
    updateWorkflowStep: changes(STEP, {
      ...acting,
      method: 'PATCH',
      input: stepFields,
      wanted: wantedStep,
      followUps: ownFollowUps,
    }),
    deleteWorkflowStep: removes(STEP),
  },
})

/** Version of a workflow, on which runs go. It has no endpoints of its own. */
export const versionResource = serve(version, workflows, {
  title: 'Workflow',
  root: 'workflows_version',
  category: 'workflows',
  under: underWorkflow,
  indexes: [{ fields: ['workspace_id', 'filter_ids'] }, { fields: ['workspace_id', 'template_ids'] }],
  shows: { schema: named.schema, present: ({ id, public_id, number }) => ({ id, public_id, name: String(number) }) },
  operations: {},
})
