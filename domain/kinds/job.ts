import type { Command } from '../kernel/decider.ts'
import { type Decider, decider } from '../kernel/deciding.ts'
import type { DomainEvent } from '../kernel/event.ts'
import { type FieldTable, kept } from '../kernel/field.ts'
import { choice, flag, integer, list as listOf, moment, reference } from '../kernel/fields.ts'
import { type EventSpec, model } from '../kernel/model.ts'
import type { Consequence } from '../kernel/policy.ts'
import type { Document, Where } from '../kernel/ports/read-models.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Asked, type AskedOf, rules } from '../kernel/rules.ts'
import { list, show, workspace } from './operations.ts'
import type { Resource } from './resource.ts'
import { nullableInteger } from './schemas.ts'
import { type ServeSpec, serve } from './serve.ts'
import { creates, removes } from './writes.ts'

/** Something that is done to many records in the background: queued, then processing, then completed (spec 2.6 and 3). */
export interface JobSpec extends Pick<ServeSpec<typeof anyJob>, 'title' | 'root' | 'category'> {
  readonly name: string
  readonly events: { readonly [stage in 'queued' | 'started' | 'advanced' | 'completed' | 'removed']: string }
  /** What it is done to: a collection, and which of its documents `target_all` means. */
  readonly targets: { readonly resource: string; readonly all: Where }
  /** Attributes beside the selection of targets. */
  readonly attributes: FieldTable
  /** Operation ids and paths. */
  readonly paths: { readonly [operation in 'list' | 'create' | 'show' | 'remove']: readonly [id: string, path: string] }
  /** The command that does it to one target; must be safe to repeat. */
  perform(job: Document, target: number, command: Pick<Command, 'at' | 'actor'>): Consequence
}

/** A job's resource, and what the worker needs beside it. */
export interface Job {
  readonly resource: Resource
  readonly decider: Decider
  readonly targets: JobSpec['targets']
  perform: JobSpec['perform']
}

const selection = (resource: string) => ({
  target_ids: listOf(reference(resource), { max: 10_000, about: 'The records, one by one' }),
  target_all: flag({ about: 'Every record of the workspace' }),
  scheduled_for: moment({ default: null, about: 'Not before this time' }),
})

const progress = {
  created_by_id: kept(integer()),
  status: kept(choice(['queued', 'processing', 'completed'], { default: 'queued' }), { shown: 'never' }),
  target_count: kept(integer()),
  performed_count: kept(integer({ default: 0 })),
  /** The last target of the last page that is done. */
  cursor: kept(integer({ default: 0 }), { shown: 'never' }),
  started_at: kept(moment()),
  completed_at: kept(moment()),
}

const anyJob = model('job', { attributes: { ...selection(''), ...progress }, events: {} })
type Job_ = typeof anyJob

const selectOnce = ({ wanted, actor }: Asked<Job_>) => {
  const given = (['target_ids', 'target_all'] as const).filter((name) => wanted[name] && true)
  if (given.length === 1) return { created_by_id: actor.membershipId ?? null }
  const says = given.length === 0 ? 'provide a selection' : 'provide only one selection'
  return refuse.invalid(`${says}: target_ids or target_all`, given[1] ?? 'target_ids', 'selection')
}

const eventsOf = ({ events, attributes }: JobSpec): Readonly<Record<string, EventSpec<typeof anyJob.attributes>>> => ({
  [events.queued]: {
    born: true,
    // The attributes of the job itself are whatever its declaration says.
    only: [...Object.keys(attributes), 'target_ids', 'target_all', 'scheduled_for', 'created_by_id'] as never,
  },
  [events.started]: { sets: ['target_count'], to: { status: 'processing' }, stamps: 'started_at' },
  [events.advanced]: { sets: ['performed_count', 'cursor'] },
  [events.completed]: { to: { status: 'completed' }, stamps: 'completed_at' },
  [events.removed]: { gone: true },
})

const actsOf = ({ events }: JobSpec) => {
  const only = (type: string, data: DomainEvent['data'], when: boolean): readonly DomainEvent[] =>
    when ? [{ type, data }] : []
  return {
    start: ({ before, wanted: { target_count = null } }: AskedOf<Job_>) =>
      only(events.started, { target_count }, before.status === 'queued'),
    advance: ({ before, wanted: { performed_count = 0, cursor = 0 } }: AskedOf<Job_>) =>
      only(events.advanced, { performed_count, cursor }, before.status !== 'completed'),
    complete: ({ before }: AskedOf<Job_>) => only(events.completed, {}, before.status !== 'completed'),
  }
}

/** A job from its declaration: the operations to queue, follow and remove it; the worker does the rest. */
export const job = (spec: JobSpec): Job => {
  const { name, title, root, category, paths, targets, perform } = spec
  const attributes = { ...spec.attributes, ...selection(targets.resource), ...progress }
  const own = model(name, { attributes, events: eventsOf(spec) })
  const jobs = decider(own, { rules: rules({ save: [selectOnce], acts: actsOf(spec) }) })
  const resource = serve(own, jobs, {
    title,
    root,
    category,
    under: workspace,
    indexes: [{ fields: ['status'] }],
    view: {
      filter_id: { schema: nullableInteger, of: () => null },
      approved_by_id: { schema: nullableInteger, of: () => null },
    },
    operations: {
      [paths.list[0]]: list(paths.list[1]),
      [paths.create[0]]: creates(paths.create[1]),
      [paths.show[0]]: show(paths.show[1]),
      [paths.remove[0]]: removes(paths.remove[1]),
    },
  })
  return { resource, decider: jobs, targets, perform }
}
