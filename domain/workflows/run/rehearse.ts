import { type TSchema, Type } from 'typebox'
import { contact } from '../../contacts/contact/model.ts'
import { isContactKept } from '../../contacts/public.ts'
import { template } from '../../emails/template/model.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { flag, reference } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { dateTime, nullableString } from '../../resources/schemas.ts'
import { firstStep, nextStep } from '../../resources/tree/walk.ts'
import type { StepDeps, StepRun } from '../steps/effect.ts'
import { splittingOf, stepTypeOf } from '../steps/index.ts'
import { treeToPublish } from '../workflow/impact.ts'
import { workflow } from '../workflow/model.ts'
import { statusOf } from '../workflow/status.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import { OUTCOMES } from './model.ts'
import { inAlready, notEnabled, runsUnderWay } from './rules.ts'
import { type Passed, verdictOn } from './step.ts'

export const rehearsalFields = {
  contact_id: reference('contact', { required: true }),
  skip_communication: flag({ default: false, about: 'true: mail and messages are skipped' }),
}

export const rehearsalSchema: TSchema = Type.Object({
  workflow_id: Type.Integer(),
  contact_id: Type.Integer(),
  begins_at: dateTime,
  ends_at: Type.String({ format: 'date-time', description: 'When the run would be over' }),
  steps: Type.Array(
    Type.Object({
      step_id: Type.Integer(),
      step_type: Type.String(),
      name: Type.String(),
      entered_at: dateTime,
      left_at: dateTime,
      outcome: Type.Enum([...OUTCOMES]),
      reason: nullableString,
      branch: nullableString,
      note: Type.Union([Type.String(), Type.Null()], { description: 'In what a run could differ' }),
    }),
    { description: 'The steps that a run would pass, in their order' },
  ),
})

/** A rehearsal on its way: the run as it would be, by a clock of its own. */
interface Rehearsal {
  readonly deps: StepDeps
  at: string
  run: StepRun
  /** Steps whose commands would have changed something. */
  readonly changed: number[]
}

/** Returns what becomes of a step at which a rehearsal stands. A delay moves its clock. */
const pass = async (
  rehearsal: Rehearsal,
  step: FrozenStep,
): Promise<{ readonly passed: Passed; readonly movesTo?: number }> => {
  const { deps } = rehearsal
  for (;;) {
    const verdict = await verdictOn(deps, rehearsal.run, step, rehearsal.at)
    if ('passed' in verdict) return verdict
    if ('movesTo' in verdict) return { passed: { outcome: 'done' }, movesTo: verdict.movesTo }
    if ('commands' in verdict) {
      const { failure } = verdict.commands
      rehearsal.changed.push(step.id)
      return { passed: failure === undefined ? { outcome: 'done' } : { outcome: 'failed', reason: failure } }
    }
    const { until, due, zone } = verdict.wait
    rehearsal.at = until
    rehearsal.run = { ...rehearsal.run, due_at: due, zone }
  }
}

/** Returns why the contact could not move to another workflow now. */
const problemOfMove = async ({ deps, run: of }: Rehearsal, id: number): Promise<Passed | undefined> => {
  const read = readerOver(deps.documents)
  const target = await read.one(workflow, id)
  if (!target || statusOf(target) !== 'live') return { outcome: 'failed', reason: notEnabled().message }
  const isIn = (await runsUnderWay({ workflow_id: id, contact_id: of.contact_id }, read)).length > 0
  return isIn ? { outcome: 'failed', reason: inAlready().message } : undefined
}

/** Returns in what a run could differ from the rehearsal at a step. */
const noteOn = ({ changed }: Rehearsal, { type }: FrozenStep, movesTo: number | undefined): string | null => {
  if (movesTo !== undefined) return `A run of workflow ${movesTo} would begin`
  const { rehearsalNote, looksAround } = stepTypeOf(type)
  if (rehearsalNote !== undefined) return rehearsalNote
  if (!looksAround || changed.length === 0) return null
  return `Decided by the records as they are now: a run would have taken effect before, at steps ${changed.join(', ')}`
}

/** Takes a contact through the steps of a tree. @returns what became of each */
const rehearse = async (rehearsal: Rehearsal, tree: readonly FrozenStep[]): Promise<readonly JsonObject[]> => {
  const steps: JsonObject[] = []
  for (let step = firstStep<FrozenStep>(tree); step; ) {
    const { id, type, name } = step
    const entered_at = rehearsal.at
    rehearsal.run = { ...rehearsal.run, entered_at, due_at: null }
    const note = noteOn(rehearsal, step, undefined)
    const { passed, movesTo } = await pass(rehearsal, step)
    const refused = movesTo === undefined ? undefined : await problemOfMove(rehearsal, movesTo)
    const { outcome, reason = null, branch } = refused ?? passed
    steps.push({
      ...{ step_id: id, step_type: type, name, entered_at, left_at: rehearsal.at, outcome, reason },
      branch: branch === undefined ? null : (splittingOf(type)?.names[branch] ?? null),
      note: movesTo === undefined || refused ? note : noteOn(rehearsal, step, movesTo),
    })
    step = movesTo === undefined ? nextStep<FrozenStep>(tree, id, branch) : undefined
  }
  return steps
}

/** Runs a contact through the tree of a workflow as it is edited, by a copy of the clock and without any effect. */
export const rehearseWorkflow = async (input: ReadInput): Promise<JsonObject | Refusal> => {
  const { owner, fields, load, read, at, token, texts } = input
  const of = recordOf(workflow)(owner ?? {})
  const person = await read.get(contact.name, Number(fields.contact_id))
  if (!person || !isContactKept(person)) return refuse.invalid('Contact must exist', 'run.contact_id', 'blank')
  const contact_id = Number(fields.contact_id)
  const rehearsal: Rehearsal = {
    deps: {
      documents: read,
      texts,
      vault: { open: (subject, sealed) => load.open(subject, sealed), token },
      // What is minted is the id of nothing.
      mint: () => 0,
      templateAt: async (id) => readerOver(read).one(template, id),
    },
    at,
    run: {
      ...{ id: contact_id, team_id: of.team_id, workspace_id: of.workspace_id, workflow_id: of.id, contact_id },
      ...{ skip_communication: fields.skip_communication === true, entered_at: at, due_at: null, zone: null },
    },
    changed: [],
  }
  const steps = await rehearse(rehearsal, await treeToPublish(of, load))
  return { workflow_id: of.id, contact_id, begins_at: at, ends_at: rehearsal.at, steps: [...steps] }
}
