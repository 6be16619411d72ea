import { type TSchema, Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { dateTime, nullable, nullableDateTime, nullableInteger, nullableString } from '../../resources/schemas.ts'
import { walkTree } from '../../resources/tree/tree.ts'
import type { Loader } from '../../resources/view-types.ts'
import { splittingOf } from '../steps/index.ts'
import { version, workflow } from '../workflow/model.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import { OUTCOMES, pass, RUN_STATUSES, run } from './model.ts'

const stepSchema = {
  step_id: Type.Integer(),
  step_type: nullableString,
  name: nullableString,
  entered_at: nullableDateTime,
}

export const traceSchema: TSchema = Type.Object({
  run: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    workflow_id: Type.Integer(),
    contact_id: Type.Integer(),
    status: Type.Enum([...RUN_STATUSES]),
    version: nullable(Type.Integer({ description: 'Version of the workflow on which it goes' })),
    event_type_key: nullable(Type.String({ description: 'Key of the event that started it' })),
    end_reason: nullable(Type.String({ description: 'Why it was canceled' })),
    held_reason: nullable(Type.String({ description: 'Why it waits for the word of the operator' })),
  }),
  steps: Type.Array(
    Type.Object({
      ...stepSchema,
      left_at: nullableDateTime,
      outcome: Type.Enum([...OUTCOMES]),
      reason: nullableString,
      branch: nullableString,
    }),
    { description: 'The steps that it has left, in their order' },
  ),
  current: nullable(Type.Object({ ...stepSchema, waits_until: nullableDateTime })),
  skipped_entries: Type.Array(Type.Object({ event_type_key: Type.String(), event_id: Type.Integer(), at: dateTime }), {
    description: 'Events that would have started the workflow for the contact again; the first 100',
  }),
  chain: Type.Array(Type.Object({ workflow_id: Type.Integer(), name: nullableString }), {
    description: 'Workflows whose runs led to it one after the other, its own last',
  }),
  cut_workflow_ids: Type.Array(Type.Integer(), {
    description: 'Workflows that it did not start, because too many had led to it',
  }),
  from_run_id: nullableInteger,
})

type Steps = ReadonlyMap<number, FrozenStep>

const ofStep = (id: number, steps: Steps): JsonObject => {
  const step = steps.get(id)
  return { step_id: id, step_type: step?.type ?? null, name: step?.name ?? null }
}

const namesOf = async (ids: readonly number[], load: Loader): Promise<JsonObject[]> => {
  const found = new Map((await load.many(workflow.name, [...new Set(ids)])).map((one) => [Number(one.id), one]))
  return ids.map((workflow_id) => ({ workflow_id, name: String(found.get(workflow_id)?.name ?? '') || null }))
}

const presentPass = ({ step_id, ...passed }: RecordOf<typeof pass>, steps: Steps): JsonObject => {
  const { outcome, reason, branch, entered_at, left_at } = passed
  const { type } = steps.get(step_id) ?? {}
  return {
    ...ofStep(step_id, steps),
    ...{ entered_at, left_at, outcome, reason },
    branch: branch === null || type === undefined ? null : (splittingOf(type)?.names[branch] ?? null),
  }
}

const presentCurrent = (
  { current_step_id: id, entered_at, resume_at }: RecordOf<typeof run>,
  steps: Steps,
): JsonObject | null => (id === null ? null : { ...ofStep(id, steps), entered_at, waits_until: resume_at })

/** Returns the version on which a run went, which may be retired by now. */
const versionOf = async ({ version_id: id }: RecordOf<typeof run>, load: Loader) =>
  (await load.one(version.name, id)) ?? load.last(version.name, id)

/** Returns what became of each step of a run. Steps have the names that they have in its version. */
export const readTrace = async ({ document, load }: ReadInput): Promise<JsonObject> => {
  const record = recordOf(run)(document ?? {})
  const [found, passes, chain] = await Promise.all([
    versionOf(record, load),
    load.where(pass.name, 'run_id', record.id),
    namesOf(record.chain, load),
  ])
  const published = found && recordOf(version)(found)
  const steps = new Map([...walkTree<FrozenStep>(published?.steps ?? [])].map(({ node }) => [node.id, node]))
  const { id, public_id, workflow_id, contact_id, status, event_type_key, end_reason, held_reason } = record
  return {
    run: {
      id,
      public_id,
      workflow_id,
      contact_id,
      status,
      version: published?.number ?? null,
      event_type_key,
      end_reason,
      held_reason,
    },
    steps: passes.map((one) => presentPass(recordOf(pass)(one), steps)),
    current: presentCurrent(record, steps),
    skipped_entries: record.skipped_entries.map(({ key, event_id, at }) => ({ event_type_key: key, event_id, at })),
    chain,
    cut_workflow_ids: [...record.cut_workflow_ids],
    from_run_id: record.from_run_id,
  }
}
