import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, integer, list, moment, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { idIn } from '../../kernel/values/ids.ts'
import type { StepSettings } from '../steps/effect.ts'
import { REFERRING, STEP_TYPE_NAMES } from '../steps/index.ts'
import { isList } from '../steps/step-type.ts'
import { conditions } from './conditions.ts'
import { remembersBroken, toldBroken } from './told-broken.ts'
import { type FrozenTree, type StepEvents, type StepTree, treeAfter } from './tree.ts'
import { triggerKey } from './trigger-keys.ts'

const ids = () => managed(list(integer(), { initial: [] }), { shown: 'never' })

/** Trigger of a workflow: the event that starts it for a contact, and conditions that the event must meet. */
export const trigger = model('workflows/trigger', {
  stream: 'workflow',
  owner: 'workflow_id',
  attributes: {
    event_type_key: triggerKey(),
    active: flag({ default: true, about: 'An inactive trigger starts nobody' }),
    allow_anonymous_contacts: flag({
      default: true,
      about: 'Whether it starts contacts of whom nobody knows who they are',
    }),
    subscription_cancelation_reason: text({ nullable: true, about: 'For $order.cancelled alone' }),
    ...conditions,
    lost_conditions: managed(
      list(text(), {
        initial: [],
        about: 'Conditions whose record has been deleted, which no event meets. Beyond the contract',
      }),
    ),
  },
  events: {
    TriggerAdded: { creates: true, except: ['lost_conditions'] },
    TriggerActivated: { constants: { active: true } },
    TriggerDeactivated: { constants: { active: false } },
    TriggerConditionsLost: { sets: ['lost_conditions'] },
    TriggerChanged: { changes: 'rest' },
    TriggerRemoved: { ends: true },
  },
})

const listOf = (value: Json | undefined): Json => (Array.isArray(value) ? value : [])

/** Returns the act by which a step gives up records that have ended. */
export const giving = (setting: string): string => `lose ${setting}`

// Fingerprints of documents list the indexes in this order.
const inOrder = [...REFERRING].sort((a, b) => (a.keptBy ?? '').localeCompare(b.keptBy ?? ''))

const namedRecords = Object.fromEntries(
  inOrder.flatMap(({ setting, to, foundBy, isGivenUp }) =>
    foundBy !== undefined && isGivenUp
      ? [[foundBy, { to, setBy: ['StepAdded', 'StepSettingsChanged'], onTargetEnd: { act: giving(setting) } }]]
      : [],
  ),
)

/** Returns what finds a step by the records that it names. */
const findersIn = (settings: StepSettings): JsonObject =>
  Object.fromEntries(
    REFERRING.flatMap(({ setting, foundBy }) =>
      foundBy === undefined
        ? []
        : [[foundBy, isList(setting) ? listOf(settings[setting]) : idIn(settings[setting])] as const],
    ),
  )

/** Step of a workflow. Its place is in the tree of the workflow. */
export const step = model('workflows/step', {
  stream: 'workflow',
  owner: 'workflow_id',
  attributes: {
    step_type: managed(choice(STEP_TYPE_NAMES, { required: true })),
    name: text({ about: 'Absent: made from the type' }),
    settings: managed(data<StepSettings, { readonly initial: Record<never, never> }>(Type.Object({}), { initial: {} })),
  },
  references: namedRecords,
  events: {
    StepAdded: { creates: true },
    StepRenamed: { sets: ['name'] },
    StepSettingsChanged: { sets: ['settings'] },
    StepMoved: {},
    StepRemoved: { ends: true, of: ({ removed_step_ids }: StepEvents['StepRemoved']) => removed_step_ids },
  },
  derives: {
    version: 2,
    of: ({ settings }) => findersIn(settings),
  },
})

type Published = {
  readonly version_id: number
  readonly number: number
  readonly steps: FrozenTree
  /** Stored filters by which its splits choose. */
  readonly filter_ids: readonly number[]
  /** Templates of its e-mails. */
  readonly template_ids: readonly number[]
}

/**
 * Version of a workflow: its tree as it was published. It never changes. Runs finish on the version on which they began. One that no run is on any more is
 * retired, so that the stream holds few of them; the log has it still.
 */
export const version = model('workflows/version', {
  stream: 'workflow',
  owner: 'workflow_id',
  attributes: {
    number: managed(integer({ required: true })),
    steps: managed(data<FrozenTree, { readonly initial: readonly [] }>(Type.Array(Type.Unknown()), { initial: [] })),
    filter_ids: ids(),
    template_ids: ids(),
  },
  events: {
    WorkflowVersionPublished: { creates: true },
    WorkflowVersionsRetired: {
      ends: true,
      of: ({ version_ids }: { readonly version_ids: readonly number[] }) => version_ids,
    },
  },
})

const changesTree = <D>(after: (tree: StepTree, data: D) => StepTree) => ({
  evolve: (workflow: { readonly tree: StepTree } | undefined, data: D) => ({ tree: after(workflow?.tree ?? [], data) }),
})

type WithTriggers = { readonly active_trigger_ids: readonly number[] } | undefined
type OfTrigger = { readonly trigger_id: number }

const without = (workflow: WithTriggers, id: number) =>
  (workflow?.active_trigger_ids ?? []).filter((active) => active !== id)

const activates = {
  evolve: (workflow: WithTriggers, { trigger_id }: OfTrigger) => ({
    active_trigger_ids: [...without(workflow, trigger_id), trigger_id],
  }),
}
const deactivates = {
  evolve: (workflow: WithTriggers, { trigger_id }: OfTrigger) => ({
    active_trigger_ids: without(workflow, trigger_id),
  }),
}

/**
 * Workflow with its triggers and steps. They share one stream because the workflow decides the order of its steps and freezes them all at once. The record
 * holds the whole tree, so that one look-up reads it.
 */
export const workflow = model('workflow', {
  attributes: {
    name: text({ required: true }),
    archived: flag({
      ...{ initial: false, about: 'true archives, and disables; false takes it back' },
      consequence: { says: 'stops something for everybody in it', unless: [false] },
    }),
    enabled: managed(flag({ initial: false }), { shown: 'never' }),
    tree: managed(data<StepTree, { readonly initial: readonly [] }>(Type.Array(Type.Unknown()), { initial: [] }), {
      shown: 'never',
    }),
    active_trigger_ids: ids(),
    /** The version on which new runs begin; `null`: it was never enabled. */
    version_id: managed(integer({ nullable: true }), { shown: 'never' }),
    version_number: managed(integer({ initial: 0 }), { shown: 'never' }),
    /** How often it was enabled. Runs that began before the last time are over. */
    enabling: managed(integer({ initial: 0 }), { shown: 'never' }),
    enabled_at: managed(moment(), { shown: 'never' }),
    /** Workflows that lead to each other, this one among them, whose chain was cut last, and when. */
    cut_chain: ids(),
    chain_cut_at: managed(moment(), { shown: 'never' }),
    ...toldBroken,
  },
  events: {
    WorkflowCreated: { creates: true, only: ['name'] },
    WorkflowRenamed: { sets: ['name'] },
    WorkflowArchived: { constants: { archived: true } },
    WorkflowUnarchived: { constants: { archived: false } },
    WorkflowVersionPublished: {
      evolve: (_, { version_id, number }: Published) => ({ version_id, version_number: number }),
    },
    WorkflowVersionsRetired: {},
    WorkflowEnabled: {
      evolve: (before: { readonly enabling: number } | undefined, _: JsonObject, { at }) => ({
        enabled: true,
        enabling: (before?.enabling ?? 0) + 1,
        enabled_at: at,
      }),
    },
    WorkflowDisabled: { constants: { enabled: false } },
    WorkflowChainCut: { sets: ['cut_chain'], stamps: 'chain_cut_at' },
    WorkflowStepsBroken: remembersBroken,
    WorkflowRemoved: { ends: true },
    TriggerAdded: {
      evolve: (before: WithTriggers, { trigger_id, active }: OfTrigger & { readonly active: boolean }) =>
        (active ? activates : deactivates).evolve(before, { trigger_id }),
    },
    TriggerActivated: activates,
    TriggerDeactivated: deactivates,
    TriggerRemoved: deactivates,
    // Triggers and steps are shown with the workflow, so their events change it as well.
    TriggerChanged: {},
    TriggerConditionsLost: {},
    StepAdded: changesTree(treeAfter.StepAdded),
    StepMoved: changesTree(treeAfter.StepMoved),
    StepRemoved: changesTree(treeAfter.StepRemoved),
    StepRenamed: {},
    StepSettingsChanged: {},
  },
  children: {
    triggers: { model: trigger, key: 'trigger_id', keys: 'trigger_ids' },
    steps: { model: step, key: 'step_id', keys: 'step_ids' },
    versions: { model: version, key: 'version_id', keys: 'version_ids' },
  },
})
