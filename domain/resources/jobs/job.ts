import { Type } from 'typebox'
import type { Ask } from '../../kernel/decide/ask.ts'
import { type Decider, decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { eventNamed } from '../../kernel/model/event-types.ts'
import { type Field, type FieldTable, managed, type Values } from '../../kernel/model/field.ts'
import { reference } from '../../kernel/model/fields.ts'
import { type EventSpec, model } from '../../kernel/model/model.ts'
import type { Vault } from '../../kernel/ports/vault.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { MintId } from '../../kernel/values/ids.ts'
import type { MaybePromise } from '../../kernel/values/maybe-promise.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { mergeAttributes } from '../attributes/merge.ts'
import type { Consequence } from '../consequence.ts'
import { list, show, workspace } from '../operations.ts'
import type { Owner } from '../owner.ts'
import type { Resource } from '../resource.ts'
import { nullable, nullableInteger } from '../schemas.ts'
import { type ServeSpec, serve } from '../serve.ts'
import type { ViewPart, ViewParts } from '../view.ts'
import { creates, removes, type WriteOptions } from '../writes.ts'
import type { Targets } from './audience.ts'
import {
  type AnyJob,
  anyJob,
  completion,
  PROGRESS,
  progress,
  progressIn,
  schedule,
  startTimer,
  targetCountIn,
} from './progress.ts'
import {
  checkedToken,
  creationInput,
  requireOneSelection,
  selection,
  selectionFields,
  storeTokenFilter,
} from './selecting.ts'
import type { TargetFile } from './target-file.ts'

/** What the commands of a job are made with. */
export interface PerformDeps {
  readonly mint: MintId
  readonly read: Reader
  /** Returns the digest by which somebody is found. */
  readonly token: Vault['token']
}

/** A job, and the membership in the team of who requested it. */
interface Requested {
  readonly id: number
  readonly created_at: string
  readonly created_by_id: number | null
  readonly target_all: boolean | null
}

/** The work of a job: a command for each target, or a file. @typeParam R the declared attributes of the job */
export type Work<R = never> =
  | {
      /** Returns the command for one target, or several, or why there is none; must be safe to repeat. */
      perform(job: R & Requested, target: number, deps: PerformDeps): MaybePromise<Ask | readonly Ask[] | Refusal>
    }
  | { readonly file: TargetFile }

type OperationPath = readonly [id: string, path: string]

interface JobDeclaration<A extends FieldTable = FieldTable>
  extends Pick<ServeSpec<typeof anyJob>, 'title' | 'root' | 'category'> {
  /** Whether the filters of its events have been sealed in every version. */
  readonly sealedFromTheStart?: true
  readonly name: string
  readonly events: { readonly [stage in 'queued' | 'started' | 'advanced' | 'completed' | 'removed']: string } & {
    /** A job that can have mail sent waits for the operator's word in an older copy of the data. */
    readonly held?: string
    readonly released?: string
  }
  /** Records to which the job can be applied. */
  readonly targets: Targets
  /** Attributes beside the selection of targets. */
  readonly attributes: A
  /** Record below which it is requested; default: the workspace. */
  readonly under?: Owner
  /** Operation ids and paths. */
  readonly paths: Readonly<{ show: OperationPath } & Partial<Record<'list' | 'create' | 'remove', OperationPath>>>
  /** What its creation does; see consequence.ts. */
  readonly consequence: Consequence
  /** How its creation differs from that of other jobs. */
  readonly creation?: Pick<WriteOptions, 'instead' | 'summary' | 'wanted'>
  /** Fields of responses besides the attributes. */
  readonly view?: ViewParts<AnyJob>
  /** Returns why the request cannot be carried out for any target. */
  objection?(wanted: JsonObject, workspaceId: number, read: Reader): Promise<Refusal | undefined>
}

/** Background work on many records: queued, then processing, then completed (spec 2.6 and 3). */
export type JobSpec<A extends FieldTable = FieldTable> = JobDeclaration<A> & Work<Values<A>>

/** Inputs of the acts with which a worker reports on a job. */
type WorkerInputs = {
  readonly start: Partial<Values<typeof progress>>
  readonly advance: Partial<Values<typeof progress>>
  readonly complete: Partial<Values<typeof progress>>
  readonly hold: Partial<Values<typeof progress>>
  readonly release: object
}

/** The resource of a job, and what the worker needs besides. */
export type Job = Work & {
  readonly resource: Resource
  readonly decider: Decider<WorkerInputs>
  readonly targets: Targets
  /** Attributes that name other records, with the resources of these. They must still exist when the job runs. */
  readonly references: readonly { readonly attribute: string; readonly resource: string }[]
  /** Types of the events that queue, start, release, complete and remove the job. Absent `released`: it is never held. */
  readonly queued: string
  readonly started: string
  readonly released: string | undefined
  readonly completed: string
  readonly removed: string
}

const setCreator = ({ actor }: DecisionContext<AnyJob>) => ({ created_by_id: actor.membershipId ?? null })

/** Reference to the record below which a job is requested, unless that is a workspace. */
const ownerOf = ({ field, resource }: Owner): FieldTable =>
  resource === workspace.resource
    ? {}
    : { [field]: managed(reference(resource, { required: true, onTargetEnd: { act: 'remove' } })) }

/** Marks version 2, since which personal values in the filter are sealed. Values in the clear in older events stay as they are. */
const filterSealedSince = (data: JsonObject): JsonObject => data

const eventsOf = ({
  events,
  attributes,
  sealedFromTheStart,
  under = workspace,
}: JobDeclaration): Readonly<Record<string, EventSpec>> => ({
  [events.queued]: {
    creates: true,
    ...(!sealedFromTheStart && { versions: [filterSealedSince] }),
    // The job's own attributes come from its declaration.
    only: [...Object.keys({ ...ownerOf(under), ...attributes, ...selection(''), ...schedule }), 'created_by_id'],
  },
  [events.started]: { sets: ['target_count'], constants: { status: 'processing' }, stamps: 'started_at' },
  // If a timer starts the job, its targets are counted after the start.
  [events.advanced]: { sets: ['target_count', ...PROGRESS] },
  [events.completed]: {
    sets: ['target_count', ...PROGRESS],
    constants: { status: 'completed' },
    stamps: 'completed_at',
  },
  [events.removed]: { ends: true },
  ...(events.held !== undefined && { [events.held]: { sets: ['held_reason'] } }),
  ...(events.released !== undefined && { [events.released]: { constants: { held_reason: null } } }),
})

const actsOf = ({ events }: JobDeclaration) => {
  const eventIf = (type: string | undefined, data: JsonObject, condition: boolean): Events<AnyJob> =>
    condition && type !== undefined ? [eventNamed(anyJob, type, data)] : []
  return {
    start: ({ before, wanted: { target_count = null } }: ActContext<AnyJob>) =>
      eventIf(events.started, { target_count }, before.status === 'queued'),
    advance: ({ before, wanted }: ActContext<AnyJob>) =>
      eventIf(events.advanced, { ...targetCountIn(wanted), ...progressIn(wanted) }, before.status !== 'completed'),
    complete: ({ before, wanted }: ActContext<AnyJob>) =>
      eventIf(events.completed, completion(wanted), before.status !== 'completed'),
    hold: ({ before: { status, held_reason }, wanted }: ActContext<AnyJob>) =>
      eventIf(events.held, { held_reason: wanted.held_reason }, status !== 'completed' && held_reason === null),
    release: ({ before: { held_reason } }: ActContext<AnyJob>) =>
      held_reason === null ? refuse.invalid('The action is not held', 'status') : eventIf(events.released, {}, true),
  }
}

/** Loads the objection of the job to the request. If there is none, loads the filter of the token, checked against the workspace. */
const loadFactsOf =
  ({ targets, objection }: JobDeclaration) =>
  async (context: DecisionContext<AnyJob>, read: Reader) =>
    (await objection?.(context.wanted, context.workspaceId, read)) ?? checkedToken(targets)(context, read)

/** View part with a link to the file of a job. Its rows are about persons, so it needs the scope to read personal data. Links expire, so each answer has a new one. */
const fileUrl = (name: string): ViewPart<AnyJob> => ({
  schema: nullable(
    Type.String({
      description:
        'A link to the file, for a day; null until the job is complete, and for a token without contacts:read',
    }),
  ),
  of: ({ id, workspace_id, status }, load) =>
    status === 'completed' && load.seesPersonalData
      ? load.download({ resource: name, id, workspaceId: workspace_id ?? 0 })
      : null,
})

/** Builds a job from its declaration, with operations to queue, follow and remove it. The worker carries it out. */
export const job = <const A extends FieldTable>(spec: JobSpec<A>): Job => {
  const { name, title, root, category, paths, targets, under = workspace } = spec
  const common: FieldTable = { ...ownerOf(under), ...selection(targets.resource), ...schedule, ...progress }
  const attributes: FieldTable = mergeAttributes(name, spec.attributes, common)
  // Attributes of its own do not matter here: every job has those of `anyJob`.
  const jobModel = model(name, { attributes, events: eventsOf(spec), timers: startTimer }) as unknown as AnyJob
  const jobDecider = decider(jobModel, {
    rules: rules(jobModel, {
      loadFacts: loadFactsOf(spec),
      save: [setCreator, requireOneSelection(targets)],
      acts: actsOf(spec),
      timers: { start: 'start' },
    }),
  })
  const resource = serve(jobModel, jobDecider, {
    title,
    root,
    category,
    under,
    indexes: [{ fields: ['status'] }, ...(spec.events.held === undefined ? [] : [{ fields: ['held_reason'] }])],
    written: 'last',
    view: {
      approved_by_id: { schema: nullableInteger, of: () => null },
      ...('file' in spec && { file_url: fileUrl(name) }),
      ...spec.view,
    },
    operations: {
      ...(paths.list && { [paths.list[0]]: list(paths.list[1]) }),
      ...(paths.create && {
        [paths.create[0]]: creates(paths.create[1], {
          consequence: spec.consequence,
          input: selectionFields(targets),
          wanted: creationInput(targets),
          followUps: storeTokenFilter(targets),
          ...('file' in spec && { personal: true }),
          ...spec.creation,
        }),
      }),
      [paths.show[0]]: show(paths.show[1]),
      ...(paths.remove && { [paths.remove[0]]: removes(paths.remove[1]) }),
    },
  })
  const { queued, started, released, completed, removed } = spec.events
  const references = Object.entries<Field>(spec.attributes).flatMap(([attribute, { refersTo }]) =>
    refersTo === undefined ? [] : [{ attribute, resource: refersTo }],
  )
  const work: Work<Values<A>> = 'file' in spec ? { file: spec.file } : { perform: spec.perform }
  return { resource, decider: jobDecider, targets, references, queued, started, released, completed, removed, ...work }
}
