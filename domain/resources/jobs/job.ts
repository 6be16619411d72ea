import { Type } from 'typebox'
import type { Ask } from '../../kernel/decide/ask.ts'
import { type Decider, decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { eventNamed } from '../../kernel/model/event-types.ts'
import { type FieldTable, managed, type Values } from '../../kernel/model/field.ts'
import { choice, integer, list as listOf, moment } from '../../kernel/model/fields.ts'
import { type EventSpec, model, type RecordOf } from '../../kernel/model/model.ts'
import type { TimerTable } from '../../kernel/model/timer.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { MintId } from '../../kernel/values/ids.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import { list, show, workspace } from '../operations.ts'
import type { Resource } from '../resource.ts'
import { nullable, nullableInteger } from '../schemas.ts'
import { type ServeSpec, serve } from '../serve.ts'
import type { ViewPart } from '../view.ts'
import { creates, removes } from '../writes.ts'
import type { Targets } from './audience.ts'
import { checkedToken, keepToken, meant, selection, selectOnce, selectors } from './selecting.ts'
import type { TargetFile } from './target-file.ts'

/** What a job does. @typeParam R The job, as far as it was declared */
export type Work<R = never> =
  | {
      /** The command that does it to one target; must be safe to repeat. */
      perform(job: R, target: number, mint: MintId): Ask
    }
  | { readonly file: TargetFile }

interface Declaration<A extends FieldTable = FieldTable>
  extends Pick<ServeSpec<typeof anyJob>, 'title' | 'root' | 'category'> {
  readonly name: string
  readonly events: { readonly [stage in 'queued' | 'started' | 'advanced' | 'completed' | 'removed']: string }
  /** What it can be done to. */
  readonly targets: Targets
  /** Attributes beside the selection of targets. */
  readonly attributes: A
  /** Operation ids and paths. */
  readonly paths: { readonly [operation in 'list' | 'create' | 'show' | 'remove']: readonly [id: string, path: string] }
  /** Why what is asked for cannot be done to anybody. */
  objection?(wanted: JsonObject, workspaceId: number, read: Reader): Promise<Refusal | undefined>
}

/** Something that is done to many records in the background: queued, then processing, then completed (spec 2.6 and 3). */
export type JobSpec<A extends FieldTable = FieldTable> = Declaration<A> & Work<Values<A>>

/** What a job takes of the worker that carries it out. */
type JobTakes = {
  readonly start: Partial<Values<typeof progress>>
  readonly advance: Partial<Values<typeof progress>>
  readonly complete: Partial<Values<typeof progress>>
}

/** A job's resource, and what the worker needs beside it. */
export type Job = Work & {
  readonly resource: Resource
  readonly decider: Decider<JobTakes>
  readonly targets: Targets
  /** The types of the events that it is queued, started and removed with. */
  readonly queued: string
  readonly started: string
  readonly removed: string
}

/** So many of those to whom it could not be done are named; the others are only counted. */
export const MOST_FAILED = 1000

const progress = {
  created_by_id: managed(integer()),
  status: managed(choice(['queued', 'processing', 'completed'], { default: 'queued' }), { shown: 'never' }),
  target_count: managed(integer()),
  /** Those of whom it is settled whether it could be done: clients wait until it is `target_count`. */
  performed_count: managed(integer({ default: 0 })),
  failed_count: managed(integer({ default: 0, about: 'Those of performed_count to whom it could not be done' })),
  failed_ids: managed(
    listOf(integer(), { default: [], about: `To whom it could not be done: the first ${MOST_FAILED}` }),
  ),
  /** Records up to this id have been looked at. */
  cursor: managed(integer({ default: 0 }), { shown: 'never' }),
  started_at: managed(moment()),
  completed_at: managed(moment()),
}

const schedule = { scheduled_for: moment({ default: null, about: 'Not before this time' }) }

const anyJob = model('job', { attributes: { ...selection(''), ...schedule, ...progress }, events: {} })

/** Starts a job that was to wait. */
const whenScheduled: TimerTable<'start', RecordOf<typeof anyJob>> = {
  start: { due: ({ status, scheduled_for }) => (status === 'queued' ? scheduled_for : null) },
}

type Job_ = typeof anyJob

const signed = ({ actor }: DecisionContext<Job_>) => ({ created_by_id: actor.membershipId ?? null })

const PROGRESS = ['performed_count', 'failed_count', 'failed_ids', 'cursor'] as const

/** From version 2 on, what is personal in the filter is sealed; what stands in the clear in a log stays there. */
const filterSealedSince = (data: JsonObject): JsonObject => data

const eventsOf = ({ events, attributes }: Declaration): Readonly<Record<string, EventSpec>> => ({
  [events.queued]: {
    creates: true,
    versions: [filterSealedSince],
    // The attributes of the job itself are whatever its declaration says.
    only: [...Object.keys({ ...attributes, ...selection(''), ...schedule }), 'created_by_id'],
  },
  [events.started]: { sets: ['target_count'], constants: { status: 'processing' }, stamps: 'started_at' },
  // Whom it is for is counted behind the start where a timer starts it.
  [events.advanced]: { sets: ['target_count', ...PROGRESS] },
  [events.completed]: {
    sets: ['target_count', ...PROGRESS],
    constants: { status: 'completed' },
    stamps: 'completed_at',
  },
  [events.removed]: { ends: true },
})

/** How far a job has come, out of what a command says; bounded, however many failed. */
const progressIn = ({
  performed_count = 0,
  failed_count = 0,
  failed_ids = [],
  cursor = 0,
}: ActContext<Job_>['wanted']) => ({
  performed_count,
  failed_count,
  failed_ids: failed_ids.slice(0, MOST_FAILED),
  cursor,
})

const counted = ({ target_count }: ActContext<Job_>['wanted']) => (target_count === undefined ? {} : { target_count })

/** Who met the filter when they were counted need not when they are come to; in the end there were as many as were come to. */
const completion = (wanted: ActContext<Job_>['wanted']) => {
  const progress = progressIn(wanted)
  return { target_count: progress.performed_count, ...progress }
}

const actsOf = ({ events }: Declaration) => {
  const only = (type: string, data: JsonObject, when: boolean): Events<Job_> =>
    when ? [eventNamed(anyJob, type, data)] : []
  return {
    start: ({ before, wanted: { target_count = null } }: ActContext<Job_>) =>
      only(events.started, { target_count }, before.status === 'queued'),
    advance: ({ before, wanted }: ActContext<Job_>) =>
      only(events.advanced, { ...counted(wanted), ...progressIn(wanted) }, before.status !== 'completed'),
    complete: ({ before, wanted }: ActContext<Job_>) =>
      only(events.completed, completion(wanted), before.status !== 'completed'),
  }
}

/** Whom it is for, held against the workspace, unless something else speaks against it. */
const factsOf =
  ({ targets, objection }: Declaration) =>
  async (asked: DecisionContext<Job_>, read: Reader) =>
    (await objection?.(asked.wanted, asked.workspaceId, read)) ?? checkedToken(targets)(asked, read)

/** Where its file is, made anew each time, since links expire. */
const fileUrl = (name: string): ViewPart<Job_> => ({
  schema: nullable(Type.String({ description: 'A link to the file, for a day; null until the job is complete' })),
  of: ({ id, workspace_id, status }, load) =>
    status === 'completed' ? load.download({ resource: name, id, workspaceId: workspace_id ?? 0 }) : null,
})

/** A job from its declaration: the operations to queue, follow and remove it; the worker does the rest. */
export const job = <const A extends FieldTable>(spec: JobSpec<A>): Job => {
  const { name, title, root, category, paths, targets } = spec
  const attributes: FieldTable = { ...spec.attributes, ...selection(targets.resource), ...schedule, ...progress }
  // Whatever else a job has, it is one.
  const own = model(name, { attributes, events: eventsOf(spec), timers: whenScheduled }) as unknown as Job_
  const jobs = decider(own, {
    rules: rules(own, {
      loadFacts: factsOf(spec),
      save: [signed, selectOnce(targets)],
      acts: actsOf(spec),
      timers: { start: 'start' },
    }),
  })
  const resource = serve(own, jobs, {
    title,
    root,
    category,
    under: workspace,
    indexes: [{ fields: ['status'] }],
    written: 'last',
    view: {
      approved_by_id: { schema: nullableInteger, of: () => null },
      ...('file' in spec && { file_url: fileUrl(name) }),
    },
    operations: {
      [paths.list[0]]: list(paths.list[1]),
      [paths.create[0]]: creates(paths.create[1], {
        input: selectors(targets),
        wanted: meant(targets),
        followUps: keepToken(targets),
      }),
      [paths.show[0]]: show(paths.show[1]),
      [paths.remove[0]]: removes(paths.remove[1]),
    },
  })
  const { queued, started, removed } = spec.events
  const work: Work<Values<A>> = 'file' in spec ? { file: spec.file } : { perform: spec.perform }
  return { resource, decider: jobs, targets, queued, started, removed, ...work }
}
