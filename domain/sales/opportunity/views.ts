import { Type } from 'typebox'
import { contactSchema } from '../../contacts/contact/view.ts'
import type { JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { View } from '../../kernel/resource.ts'
import { picker } from '../../kinds/pick.ts'
import { nullable, nullableDateTime, nullableInteger, nullableString } from '../../kinds/schemas.ts'

const noteCore = {
  id: Type.Integer(),
  public_id: nullableString,
  content: Type.String(),
  created_by_id: nullableInteger,
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
}
const named = Type.Object({ id: Type.Integer(), public_id: Type.String(), name: Type.String() })

const pickNote = picker(Object.keys(noteCore))
const pickNamed = picker(['id', 'public_id', 'name'])

export const noteView: View = {
  schema: Type.Object({ ...noteCore, opportunity_id: Type.Integer() }),
  present: picker([...Object.keys(noteCore), 'opportunity_id']),
}

const core = {
  id: Type.Integer(),
  public_id: nullableString,
  name: Type.String(),
  workspace_id: Type.Integer(),
  /** The contract has this id, and the assignee's, as text. */
  pipeline_id: nullableString,
  pipelines_stage_id: Type.Integer(),
  primary_contact_id: Type.Integer(),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: 'A decimal string in the currency of the workspace',
  }),
  sort_order: nullableInteger,
  closed_at: nullableDateTime,
  created_at: nullableDateTime,
  updated_at: nullableDateTime,
  assignee_id: nullableString,
}
const pickCore = picker(Object.keys(core))

const asText = (id: unknown): string | null => (typeof id === 'number' ? String(id) : null)

/** A stage may be removed at the very moment at which an opportunity is put into it. */
const presentNamed = (id: number, document: Document | undefined): JsonObject =>
  document ? pickNamed(document) : { id, public_id: '', name: '' }

/** An opportunity with its place, its contact and its notes. */
export const opportunityView: View = {
  schema: Type.Object({
    ...core,
    pipeline: named,
    pipelines_stage: named,
    primary_contact: contactSchema,
    notes: nullable(Type.Array(Type.Object(noteCore))),
  }),
  async present(document, load) {
    const [pipeline, stage, contact, notes] = await Promise.all([
      load.one('sales/pipeline', Number(document.pipeline_id)),
      load.one('sales/pipelines/stage', Number(document.pipelines_stage_id)),
      load.one('contact', Number(document.primary_contact_id)),
      load.where('sales/opportunities/note', 'opportunity_id', Number(document.id)),
    ])
    return {
      ...pickCore(document),
      pipeline_id: asText(document.pipeline_id),
      assignee_id: asText(document.assignee_id),
      pipeline: presentNamed(Number(document.pipeline_id), pipeline),
      pipelines_stage: presentNamed(Number(document.pipelines_stage_id), stage),
      primary_contact: contact && (await load.present('contact', contact)),
      notes: notes.map(pickNote),
    }
  },
}
