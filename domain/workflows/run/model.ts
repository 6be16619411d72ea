import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, integer, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'

/** Statuses of a run. Paused: it waits at a delay, or for the operator's word. */
export const RUN_STATUSES = ['active', 'paused', 'completed', 'canceled'] as const

/** What became of a step in a run. `skipped`: there was nothing to do. `failed`: it could not be done, and the run went on. */
export const OUTCOMES = ['done', 'skipped', 'failed'] as const

export type Outcome = (typeof OUTCOMES)[number]

/** Passes of steps by runs: each step that a run has left, with what became of it. */
export const pass = model('workflows/runs/pass', {
  stream: 'workflows/run',
  owner: 'run_id',
  attributes: {
    step_id: managed(integer({ required: true })),
    outcome: managed(choice(OUTCOMES, { required: true })),
    reason: managed(text({ nullable: true })),
    /** The branch of a split that was chosen: 0 or 1. */
    branch: managed(integer({ nullable: true })),
    /** Webhook endpoint to which the step is sent. */
    endpoint_id: managed(integer({ nullable: true })),
    /** Membership to which what the step made was assigned in turn. */
    membership_id: managed(integer({ nullable: true })),
    entered_at: managed(moment()),
    left_at: managed(moment()),
  },
  events: { RunStepPassed: { creates: true, versions: [(data) => ({ membership_id: null, ...data })] } },
})

type Passed = { readonly step_id: number; readonly next_step_id: number | null; readonly left_at: string }

/** An event that would have started the workflow for the contact once more. */
export type SkippedEntry = { readonly key: string; readonly event_id: number; readonly at: string }

/** Why a run is refused for a contact who is in the workflow. */
export const IN_ALREADY = 'Contact is in a run of this workflow already'

const hidden = { shown: 'never' } as const
const numbers = () =>
  data<readonly number[], { readonly initial: readonly [] }>(Type.Array(Type.Integer()), { initial: [] })

/** Attributes of a run that is over: it waits for nothing, and the contact can enter again. */
const OVER = { active_key: null, resume_at: null, due_at: null, held_reason: null } as const

type Before = { readonly status: string; readonly current_step_id: number | null } | undefined

/** Goes on to the next step. Behind the last one the run is over. A step that was under way when the run was canceled is told all the same. */
const goOn = (before: Before, next: number | null, at: string) => {
  if (before?.status === 'canceled') return { left_step_id: next }
  return next === null
    ? { current_step_id: null, entered_at: null, completed_at: at, status: 'completed' as const, ...OVER }
    : { current_step_id: next, entered_at: at, due_at: null }
}

/** Runs of former versions do not say of what they are a consequence, nor whether they were forced. */
const withOrigin = (data: JsonObject): JsonObject => ({ origin: null, forced: false, ...data })

/** Run: one pass of one contact through a version of a workflow. It has no personal data. */
export const run = model('workflows/run', {
  attributes: {
    workflow_id: managed(reference('workflow', { required: true, onTargetEnd: { act: 'remove' } })),
    contact_id: reference('contact', { required: true }),
    current_step_id: managed(integer({ nullable: true })),
    event_id: managed(
      integer({ nullable: true, about: 'Event that started it; null for one that was started by hand' }),
    ),
    status: managed(choice(RUN_STATUSES, { default: 'active' })),
    skip_communication: flag({ default: false, about: 'true: mail and messages are skipped' }),
    completed_at: managed(moment()),
    paused_at: managed(moment()),
    version_id: managed(integer({ required: true }), hidden),
    /** Number of the enabling of the workflow under which it began. */
    enabling: managed(integer({ required: true }), hidden),
    /** Key of the public event that started it. */
    event_type_key: managed(text({ nullable: true }), hidden),
    /** Workflows whose runs led to it one after the other, its own last. */
    chain: managed(numbers(), hidden),
    /** Run of which it is a consequence. */
    from_run_id: managed(integer({ nullable: true }), hidden),
    /** What it is a consequence of in the end, through all runs that led to it: an event, or a run that was started by hand; `null`: it is the first. */
    origin: managed(text({ nullable: true }), hidden),
    /** Whether it was started although the contact may have been in the workflow. */
    forced: managed(flag({ default: false }), hidden),
    /** Names the workflow and the contact, so that a contact is in a workflow once. */
    active_key: managed(text({ nullable: true }), hidden),
    entered_at: managed(moment(), hidden),
    /** Where it stood when it was canceled. */
    left_step_id: managed(integer({ nullable: true }), hidden),
    resume_at: managed(moment(), hidden),
    /** When the delay at which it stands ended or ends, in the zone that counted when it was reached. */
    due_at: managed(moment(), hidden),
    zone: managed(text({ nullable: true }), hidden),
    end_reason: managed(text({ nullable: true }), hidden),
    /** Why it waits for the operator's word. */
    held_reason: managed(text({ nullable: true }), hidden),
    skipped_entries: managed(
      data<readonly SkippedEntry[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
      hidden,
    ),
    /** Workflows that it would have started, had not so many led to it. */
    cut_workflow_ids: managed(numbers(), hidden),
  },
  events: {
    RunStarted: {
      creates: true,
      except: ['left_step_id', 'skipped_entries', 'cut_workflow_ids', 'resume_at', 'due_at', 'zone', 'held_reason'],
      versions: [withOrigin],
    },
    RunStepPassed: {
      evolve: (before: Before, { next_step_id, left_at }: Passed) => goOn(before, next_step_id, left_at),
    },
    RunPaused: { sets: ['resume_at', 'due_at', 'zone'], constants: { status: 'paused' }, stamps: 'paused_at' },
    RunResumed: { constants: { status: 'active', resume_at: null } },
    RunHeld: { sets: ['held_reason'], constants: { status: 'paused', resume_at: null }, stamps: 'paused_at' },
    RunReleased: { constants: { status: 'active', held_reason: null } },
    RunCanceled: {
      evolve: (before: Before, { end_reason }: { readonly end_reason: string }) => ({
        ...{ status: 'canceled', end_reason, current_step_id: null, ...OVER },
        left_step_id: before?.current_step_id ?? null,
      }),
    },
    RunEntrySkipped: {
      evolve: (before, { key, event_id }: Omit<SkippedEntry, 'at'>, { at }) => ({
        skipped_entries: [...(before?.skipped_entries ?? []), { key, event_id, at }],
      }),
    },
    RunChainCut: {
      evolve: (before, { workflow_id }: { readonly workflow_id: number }) => ({
        cut_workflow_ids: [...(before?.cut_workflow_ids ?? []), workflow_id],
      }),
    },
    RunRemoved: { ends: true },
  },
  children: { passes: { model: pass, key: 'pass_id', keys: 'pass_ids' } },
  unique: [{ attributes: ['active_key'], ifFree: 'forced', says: IN_ALREADY }],
  derives: {
    version: 1,
    of: ({ status, workflow_id }) => ({
      active_in: status === 'active' || status === 'paused' ? workflow_id : null,
      completed_in: status === 'completed' ? workflow_id : null,
    }),
  },
  timers: { resume: { due: ({ status, resume_at }) => (status === 'paused' ? resume_at : null) } },
})
