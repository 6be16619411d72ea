import { type TSchema, Type } from 'typebox'
import type { Aggregate, Command, Decision } from '../kernel/decider.ts'
import type { DomainEvent, JsonObject } from '../kernel/event.ts'
import { firstVersions } from '../kernel/event-types.ts'
import type { FieldTable } from '../kernel/field.ts'
import { flag, list as listOf, moment, reference } from '../kernel/fields.ts'
import type { Consequence } from '../kernel/policy.ts'
import type { Document, Where } from '../kernel/ports/read-models.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Resource, WriteInput } from '../kernel/resource.ts'
import type { Category } from '../kernel/scopes.ts'
import { basics } from './former.ts'
import { create, list, remove, show, workspace } from './operations.ts'
import { picker, propertiesOf } from './pick.ts'
import { nullable, nullableDateTime, nullableInteger, nullableString } from './schemas.ts'

/** Something that is done to many records in the background: queued, then processing, then completed (spec 2.6 and 3). */
export interface JobSpec {
  readonly name: string
  readonly tag: string
  readonly root: string
  readonly category: Category
  readonly events: {
    readonly queued: string
    readonly started: string
    readonly advanced: string
    readonly completed: string
    readonly removed: string
  }
  /** What it is done to: a collection, and which of its documents `target_all` means. */
  readonly targets: { readonly resource: string; readonly all: Where }
  /** Fields beside the target selection, and how they are shown. */
  readonly fields: FieldTable
  readonly shows: Readonly<Record<string, TSchema>>
  /** Operation ids and paths. */
  readonly paths: {
    readonly list: readonly [id: string, path: string]
    readonly create: readonly [id: string, path: string]
    readonly show: readonly [id: string, path: string]
    readonly remove: readonly [id: string, path: string]
  }
  /** The command that does it to one target; must be safe to repeat. */
  perform(job: Document, target: number, command: Pick<Command, 'at' | 'actor'>): Consequence
}

/** A job's resource, and what the worker needs beside it. */
export interface Job {
  readonly resource: Resource
  readonly targets: JobSpec['targets']
  perform: JobSpec['perform']
}

interface JobState {
  readonly status: 'absent' | 'queued' | 'processing' | 'completed' | 'removed'
}

export type JobCommand = Command &
  (
    | { readonly type: 'Queue'; readonly values: JsonObject }
    | { readonly type: 'Start'; readonly targetCount: number }
    | { readonly type: 'Advance'; readonly performedCount: number; readonly cursor: number }
    | { readonly type: 'Complete' }
    | { readonly type: 'Remove' }
  )

const SELECTORS = ['target_ids', 'target_all'] as const

const selectionProblem = (values: JsonObject) => {
  const given = SELECTORS.filter(
    (name) => values[name] !== null && values[name] !== undefined && values[name] !== false,
  )
  if (given.length === 1) return undefined
  const says = given.length === 0 ? 'provide a selection' : 'provide only one selection'
  return refuse.invalid(`${says}: ${SELECTORS.join(' or ')}`, given[1] ?? 'target_ids', 'selection')
}

const aggregateOf = ({ name, events }: JobSpec): Aggregate<JobState, JobCommand> => ({
  name,
  initial: { status: 'absent' },
  events: firstVersions(...Object.values(events)),
  decide({ status }, command): Decision {
    if (command.type === 'Queue') {
      return status === 'absent'
        ? (selectionProblem(command.values) ?? [{ type: events.queued, data: command.values }])
        : []
    }
    if (status === 'absent' || status === 'removed') return refuse.notFound()
    if (command.type === 'Remove') return [{ type: events.removed, data: {} }]
    if (status === 'completed') return []
    if (command.type === 'Start') {
      return status === 'queued' ? [{ type: events.started, data: { target_count: command.targetCount } }] : []
    }
    if (command.type === 'Complete') return [{ type: events.completed, data: {} }]
    return [{ type: events.advanced, data: { performed_count: command.performedCount, cursor: command.cursor } }]
  },
  evolve(state, event: DomainEvent) {
    const becomes: Readonly<Record<string, JobState['status']>> = {
      [events.queued]: 'queued',
      [events.started]: 'processing',
      [events.completed]: 'completed',
      [events.removed]: 'removed',
    }
    return { status: becomes[event.type] ?? state.status }
  },
})

const schemaOf = (spec: JobSpec): TSchema =>
  Type.Object({
    id: Type.Integer(),
    public_id: nullableString,
    workspace_id: Type.Integer(),
    ...spec.shows,
    filter_id: nullableInteger,
    target_all: nullable(Type.Boolean()),
    target_ids: nullable(Type.Array(Type.Integer())),
    target_count: nullableInteger,
    performed_count: nullableInteger,
    created_by_id: nullableInteger,
    approved_by_id: nullableInteger,
    scheduled_for: nullableDateTime,
    started_at: nullableDateTime,
    completed_at: nullableDateTime,
    created_at: nullableDateTime,
    updated_at: nullableDateTime,
  })

const NEW = {
  target_all: null,
  target_ids: null,
  performed_count: 0,
  cursor: 0,
  started_at: null,
  completed_at: null,
} as const

const documentsOf = ({ events }: JobSpec): Resource['documents'] => ({
  version: 1,
  indexes: [{ fields: ['status'] }],
  evolve(document, event) {
    const { at } = event.metadata
    switch (event.type) {
      case events.queued:
        return { ...NEW, ...event.data, status: 'queued' }
      case events.started:
        return { ...document, ...event.data, status: 'processing', started_at: at }
      case events.completed:
        return { ...document, status: 'completed', completed_at: at }
      case events.removed:
        return undefined
      default:
        return { ...document, ...event.data }
    }
  },
})

/** A job from its declaration: the operations to queue, follow and remove it; the worker does the rest. */
export const job = (spec: JobSpec): Job => {
  const { name, tag, root, category, paths, targets } = spec
  const schema = schemaOf(spec)
  const fields: FieldTable = {
    ...spec.fields,
    target_ids: listOf(reference(targets.resource), { max: 10_000, about: 'The records, one by one' }),
    target_all: flag({ about: 'Every record of the workspace' }),
    scheduled_for: moment({ default: null, about: 'Not before this time' }),
  }
  const queue = (input: WriteInput): JobCommand => ({
    type: 'Queue',
    values: { ...input.fields, created_by_id: input.caller.membershipId },
    ...basics(input),
  })
  const resource: Resource = {
    name,
    tag,
    root,
    category,
    under: workspace,
    aggregate: aggregateOf(spec),
    documents: documentsOf(spec),
    view: { schema, present: picker(propertiesOf(schema)) },
    operations: {
      [paths.list[0]]: list(paths.list[1]),
      [paths.create[0]]: create(paths.create[1], root, fields, { command: queue }),
      [paths.show[0]]: show(paths.show[1]),
      [paths.remove[0]]: remove(paths.remove[1], {
        command: (input): JobCommand => ({ type: 'Remove', ...basics(input) }),
      }),
    },
  }
  return { resource, targets, perform: spec.perform }
}
