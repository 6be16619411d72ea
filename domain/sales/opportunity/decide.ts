import type { Command, Decision } from '../../kernel/decider.ts'
import { normalizeAmount, scaleOf } from '../../kernel/money.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { OpportunityEvent } from './events.ts'
import type { Note, OpportunityState } from './state.ts'

/** What a client may send of an opportunity; absent keys are left alone. */
export interface OpportunityFields {
  readonly name?: string
  readonly pipelines_stage_id?: number
  readonly primary_contact_id?: number
  readonly value?: string | null
  readonly assignee_id?: number | null
  readonly closed_at?: string | null
}

export interface NoteFields {
  readonly content?: string
  readonly created_by_id?: number
}

export type OpportunityCommand = Command &
  (
    | { readonly type: 'OpenOpportunity'; readonly workspaceId: number; readonly fields: OpportunityFields }
    | { readonly type: 'ChangeOpportunity'; readonly workspaceId: number; readonly fields: OpportunityFields }
    | { readonly type: 'RemoveOpportunity' }
    | { readonly type: 'WriteNote'; readonly noteId: number; readonly fields: NoteFields }
    | { readonly type: 'ReviseNote'; readonly noteId: number; readonly fields: NoteFields }
    | { readonly type: 'RemoveNote'; readonly noteId: number }
  )

/** The stage that the command names, the place behind the last opportunity in it, and the workspace's currency. */
export interface OpportunityFacts {
  readonly stage?: { readonly pipelineId: number; readonly closeProbability: number; readonly nextSortOrder: number }
  readonly currency: string
}

type Opportunity = Decision<OpportunityEvent>

/** A stage of 0 or 100 percent closes what enters it (contract; the rule book's narrower reading is overruled by it). */
const closes = (stage: OpportunityFacts['stage']): boolean =>
  stage?.closeProbability === 0 || stage?.closeProbability === 100

const amountIn = (value: string | null | undefined, currency: string): string | null | Refusal => {
  if (value === null || value === undefined) return null
  const amount = normalizeAmount(value, currency)
  return (
    amount ??
    refuse.invalid(
      `Value must be an amount of ${currency} with at most ${scaleOf(currency)} decimals`,
      'value',
      'invalid',
    )
  )
}

/** The explicit `closed_at` wins over the one that follows from the stage. */
const closing = (
  state: OpportunityState,
  fields: OpportunityFields,
  at: string,
  entersClosingStage: boolean,
): OpportunityEvent[] => {
  const automatic = entersClosingStage && state.closedAt === null ? at : state.closedAt
  const closedAt = fields.closed_at === undefined ? automatic : fields.closed_at
  if (closedAt === state.closedAt) return []
  if (closedAt === null) return [{ type: 'OpportunityReopened', data: {} }]
  return [{ type: 'OpportunityClosed', data: { closed_at: closedAt, first: !state.everClosed } }]
}

const open = (
  state: OpportunityState,
  fields: OpportunityFields,
  at: string,
  { stage, currency }: OpportunityFacts,
): Opportunity => {
  if (state.status !== 'absent') return []
  const value = amountIn(fields.value, currency)
  if (value instanceof Refusal) return value
  if (!stage) return refuse.invalid('Pipelines stage must exist', 'pipelines_stage_id', 'blank')
  const data = {
    name: fields.name ?? '',
    pipeline_id: stage.pipelineId,
    pipelines_stage_id: fields.pipelines_stage_id ?? 0,
    sort_order: stage.nextSortOrder,
    primary_contact_id: fields.primary_contact_id ?? 0,
    value,
    assignee_id: fields.assignee_id ?? null,
  }
  return [{ type: 'OpportunityOpened', data }, ...closing(state, fields, at, closes(stage))]
}

const staged = (
  state: OpportunityState,
  fields: OpportunityFields,
  stage: OpportunityFacts['stage'],
): OpportunityEvent[] => {
  const stageId = fields.pipelines_stage_id
  if (stageId === undefined || stageId === state.stageId || !stage) return []
  const data = {
    pipeline_id: stage.pipelineId,
    pipelines_stage_id: stageId,
    from_stage_id: state.stageId,
    sort_order: stage.nextSortOrder,
  }
  return [{ type: 'OpportunityStaged', data }]
}

const changed = (
  state: OpportunityState,
  fields: OpportunityFields,
  at: string,
  { stage, currency }: OpportunityFacts,
): Opportunity => {
  const value = fields.value === undefined ? state.value : amountIn(fields.value, currency)
  if (value instanceof Refusal) return value
  const { name, primary_contact_id: contactId, assignee_id: assigneeId } = fields
  const events: OpportunityEvent[] = []
  if (name !== undefined && name !== state.name) events.push({ type: 'OpportunityRenamed', data: { name } })
  if (value !== state.value) events.push({ type: 'OpportunityValued', data: { value } })
  if (assigneeId !== undefined && assigneeId !== state.assigneeId) {
    events.push({ type: 'OpportunityAssigned', data: { assignee_id: assigneeId } })
  }
  if (contactId !== undefined && contactId !== state.contactId) {
    events.push({ type: 'OpportunityContactReplaced', data: { primary_contact_id: contactId } })
  }
  const moves = staged(state, fields, stage)
  return [...events, ...moves, ...closing(state, fields, at, moves.length > 0 && closes(stage))]
}

const writeNote = (
  state: OpportunityState,
  command: Extract<OpportunityCommand, { readonly type: 'WriteNote' }>,
): Opportunity => {
  if (state.notes.some(({ id }) => id === command.noteId)) return []
  const author = command.fields.created_by_id ?? command.actor.membershipId ?? null
  return [
    {
      type: 'NoteWritten',
      data: { note_id: command.noteId, content: command.fields.content ?? '', created_by_id: author },
    },
  ]
}

const reviseNote = (note: Note, { content, created_by_id }: NoteFields): Opportunity => {
  const data = {
    note_id: note.id,
    ...(content !== undefined && content !== note.content && { content }),
    ...(created_by_id !== undefined && created_by_id !== note.created_by_id && { created_by_id }),
  }
  return Object.keys(data).length === 1 ? [] : [{ type: 'NoteRevised', data }]
}

/** The rules of an opportunity (spec 2.2; rule book, sales). */
export const decide = (state: OpportunityState, command: OpportunityCommand, facts: OpportunityFacts): Opportunity => {
  if (command.type === 'OpenOpportunity') return open(state, command.fields, command.at, facts)
  if (state.status !== 'present') return refuse.notFound()
  if (command.type === 'ChangeOpportunity') return changed(state, command.fields, command.at, facts)
  if (command.type === 'RemoveOpportunity') {
    return [{ type: 'OpportunityRemoved', data: { note_ids: state.notes.map(({ id }) => id) } }]
  }
  if (command.type === 'WriteNote') return writeNote(state, command)
  const note = state.notes.find(({ id }) => id === command.noteId)
  if (!note) return refuse.notFound()
  return command.type === 'ReviseNote'
    ? reviseNote(note, command.fields)
    : [{ type: 'NoteRemoved', data: { note_id: note.id } }]
}
