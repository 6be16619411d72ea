import { contact } from '../../contacts/contact/model.ts'
import { isContactKept } from '../../contacts/public.ts'
import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { firstStep } from '../../resources/tree/walk.ts'
import { version, workflow } from '../workflow/model.ts'
import { statusOf } from '../workflow/status.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import { IN_ALREADY, type Outcome, pass, run } from './model.ts'

const { event } = run

/** Cause of a run that nobody started by hand. */
export type RunCause = {
  /** Position of the event in the log; `null` for a run that was moved from one that was started by hand. */
  readonly event_id: number | null
  readonly event_type_key: string | null
  /** Workflows that led to the run, without its own. */
  readonly chain: readonly number[]
  readonly from_run_id: number | null
  /** What the first of the runs that led to it is a consequence of. */
  readonly origin: string | null
  /** Enabling of the workflow at the event; absent where the run is no consequence of an event alone. */
  readonly enabling?: number
}

/** Input for a new run besides its attributes. `forced`: also for a contact who is in the workflow already. */
export type WantedRun = {
  readonly workflow_id: number
  readonly cause?: RunCause
  readonly forced?: boolean
}

type Birth = DecisionContext<typeof run, WantedRun>
type RunOf<Input = unknown> = ActContext<typeof run, Input>
type Happens = Events<typeof run>

export type RunFacts = {
  readonly workflow: RecordOf<typeof workflow> | undefined
  readonly version: RecordOf<typeof version> | undefined
  readonly contact: RecordOf<typeof contact> | undefined
  /** Whether a run of the workflow with the contact is not over that may not hold its place. */
  readonly isIn: boolean
}

type ContactIn = { readonly workflow_id?: number; readonly contact_id?: number }

/** Returns the runs of a workflow with a contact that are not over. Those that were forced can be several. */
export const runsUnderWay = async ({ workflow_id, contact_id }: ContactIn, read: Reader) =>
  workflow_id === undefined || contact_id === undefined
    ? []
    : (await read.find(run, { where: { contact_id, workflow_id } })).filter(isUnderWay)

/** Returns whether a contact is in a workflow by a run that may not hold its place there. The log itself knows of the others. */
const isInBeside = async (wanted: ContactIn, read: Reader): Promise<boolean> =>
  (await runsUnderWay(wanted, read)).some(({ forced, active_key }) => forced || active_key === null)

const loadFacts = async ({ act, wanted }: Birth, read: Reader): Promise<RunFacts> => {
  if (act !== 'create') return { workflow: undefined, version: undefined, contact: undefined, isIn: false }
  const [found, person, isIn] = await Promise.all([
    read.one(workflow, wanted.workflow_id),
    read.one(contact, wanted.contact_id),
    !wanted.forced && isInBeside(wanted, read),
  ])
  return { workflow: found, version: await read.one(version, found?.version_id), contact: person, isIn }
}

/** Refusal of a run of a workflow that lets nobody in. */
export const notEnabled = (): Refusal =>
  refuse.invalid('Workflow is not enabled; enable it before starting a run.', 'workflow_id', 'disabled')

/** Refusal of a run for a contact who is in the workflow. */
export const inAlready = (): Refusal => refuse.invalid(IN_ALREADY, 'active_key', 'taken')

/**
 * Returns whether a workflow lets somebody in. What happened while it was enabled lets them in although its triggers were taken away since, unless it was disabled
 * meanwhile: that ends all its runs.
 */
const letsIn = (found: RecordOf<typeof workflow>, cause: RunCause | undefined): boolean =>
  cause?.enabling === undefined
    ? statusOf(found) === 'live'
    : found.enabled && !found.archived && found.enabling === cause.enabling

/** Name under which a contact is in a workflow, while the run is not over. */
export const activeKey = (workflowId: number, contactId: number): string => `${workflowId}:${contactId}`

/** Starts a run at the first step of the version that is published. Without steps it is over at once. */
const start = (
  { wanted, after, at }: Birth,
  { workflow: found, version: published, contact: person, isIn }: RunFacts,
): Happens | Refusal => {
  const { cause, forced = false } = wanted
  if (!found || !published || !letsIn(found, cause)) return notEnabled()
  if (!person || !isContactKept(person)) return refuse.invalid('Contact must exist', 'contact_id', 'blank')
  if (isIn) return inAlready()
  const first = firstStep<FrozenStep>(published.steps)?.id ?? null
  return [
    event.RunStarted({
      workflow_id: found.id,
      contact_id: person.id,
      version_id: published.id,
      enabling: found.enabling,
      skip_communication: after.skip_communication,
      event_id: cause?.event_id ?? null,
      event_type_key: cause?.event_type_key ?? null,
      chain: [...(cause?.chain ?? []), found.id],
      from_run_id: cause?.from_run_id ?? null,
      origin: cause?.origin ?? null,
      forced,
      current_step_id: first,
      entered_at: first === null ? null : at,
      status: first === null ? 'completed' : 'active',
      completed_at: first === null ? at : null,
      paused_at: null,
      end_reason: null,
      active_key: first === null ? null : activeKey(found.id, person.id),
    }),
  ]
}

const isAt = ({ before }: RunOf, stepId: number): boolean =>
  before.status === 'active' && before.current_step_id === stepId

/** What became of a step, and the step behind it. */
export type WantedPass = {
  readonly step_id: number
  readonly outcome: Outcome
  readonly reason: string | null
  readonly branch: number | null
  readonly endpoint_id: number | null
  readonly membership_id: number | null
  /** `null`: the run is over. */
  readonly next_step_id: number | null
  readonly left_at: string
}

/** Returns the step at which a run stands, or stood when it was canceled. */
const standsAt = ({ status, current_step_id, left_step_id }: RecordOf<typeof run>): number | null =>
  status === 'canceled' ? left_step_id : status === 'active' ? current_step_id : null

/** Records what became of the step at which the run stands, and of those that follow it. What has been told already is told no more. */
const passSteps = ({ before, wanted, ids }: RunOf<{ readonly passes: readonly WantedPass[] }>): Happens => {
  let stands = standsAt(before)
  let { entered_at } = before
  const passed: Happens[number][] = []
  for (const [index, { left_at, next_step_id, ...what }] of wanted.passes.entries()) {
    if (what.step_id !== stands) continue
    passed.push(event.RunStepPassed({ pass_id: idAt(ids, index), ...what, next_step_id, entered_at, left_at }))
    stands = next_step_id
    entered_at = left_at
  }
  return passed
}

type WantedPause = { readonly step_id: number; readonly until: string; readonly due: string; readonly zone: string }

/** Waits at a delay. */
const pause = (context: RunOf<WantedPause>): Happens => {
  const { step_id, until: resume_at, due: due_at, zone } = context.wanted
  return isAt(context, step_id) ? [event.RunPaused({ resume_at, due_at, zone })] : []
}

const resume = ({ before }: RunOf): Happens =>
  before.status === 'paused' && before.held_reason === null ? [event.RunResumed()] : []

/** Returns what a run, and all that follows from it, is a consequence of in the end: an event, or a run that was started by hand. */
export const originOf = ({ id, event_id, origin }: Pick<RecordOf<typeof run>, 'id' | 'event_id' | 'origin'>): string =>
  origin ?? (event_id === null ? `run:${id}` : `event:${event_id}`)

/** Returns whether a run is not over. */
export const isUnderWay = ({ status }: Pick<RecordOf<typeof run>, 'status'>): boolean =>
  status === 'active' || status === 'paused'

/** Lets a run wait for the operator's word. One that waits already, at a delay, goes on when that ends. */
const hold = ({ before, wanted }: RunOf<{ readonly reason: string }>): Happens =>
  before.status === 'active' ? [event.RunHeld({ held_reason: wanted.reason })] : []

const release = ({ before }: RunOf): Happens | Refusal =>
  before.held_reason === null ? refuse.invalid('The run is not held', 'status') : [event.RunReleased()]

type WantedEnd = {
  readonly reason: string
  /** Only runs that began under this enabling of the workflow, or an earlier one. */
  readonly enabling?: number
}

const cancel = ({ before, wanted: { reason, enabling } }: RunOf<WantedEnd>): Happens =>
  isUnderWay(before) && (enabling === undefined || before.enabling <= enabling)
    ? [event.RunCanceled({ end_reason: reason })]
    : []

/** Most skipped entries that a run lists. */
export const MOST_SKIPPED = 100

type WantedSkip = { readonly event_type_key: string; readonly event_id: number }

/** Notes an event that would have started the workflow for the contact again. */
const skipEntry = ({ before, wanted: { event_type_key: key, event_id } }: RunOf<WantedSkip>): Happens =>
  before.skipped_entries.length >= MOST_SKIPPED ||
  before.event_id === event_id ||
  before.skipped_entries.some((one) => one.event_id === event_id)
    ? []
    : [event.RunEntrySkipped({ key, event_id })]

/** Notes that the run would have started a workflow, had not too many led to it. */
const cutChain = ({ before, wanted: { workflow_id } }: RunOf<{ readonly workflow_id: number }>): Happens =>
  before.cut_workflow_ids.includes(workflow_id) ? [] : [event.RunChainCut({ workflow_id })]

const remove = ({ records }: RunOf): Happens => [event.RunRemoved({ pass_ids: records.all(pass).map(({ id }) => id) })]

/** Decider of runs with the steps that they have passed. */
export const runs = decider(run, {
  rules: rules(run, {
    loadFacts,
    create: start,
    remove,
    acts: { pass: passSteps, pause, resume, hold, release, cancel, skipEntry, cutChain },
    timers: { resume: 'resume' },
  }),
})
