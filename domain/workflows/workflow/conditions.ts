import { type FieldTable, managed, namesOf } from '../../kernel/model/field.ts'
import { reference } from '../../kernel/model/fields.ts'
import { namedRecord } from '../../resources/attributes/named-record.ts'

/** Returns the act by which a trigger learns that records of a kind have ended. */
export const losing = (kind: string): string => `lose ${kind}`

const of = (kind: string) => managed(reference(kind, { nullable: true, onTargetEnd: { act: losing(kind) } }))

/** Conditions of a trigger: each names a record with which an event must have to do. The list is the contract's, and closed. */
export const conditions = {
  contacts_tag_id: of('contacts/tag'),
  funnel_id: of('funnel'),
  page_id: of('page'),
  product_id: of('product'),
  cancellation_product_id: of('product'),
  product_variant_id: of('products/variant'),
  cancellation_product_variant_id: of('products/variant'),
  subscription_variant_to_id: of('products/variant'),
  sales_pipelines_id: of('sales/pipeline'),
  current_sales_pipelines_stage_id: of('sales/pipelines/stage'),
  appointments_calendar_id: of('appointments/calendar'),
  appointments_event_type_id: of('appointments/event_type'),
  course_id: of('course'),
  courses_lesson_id: of('courses/lesson'),
  courses_section_id: of('courses/section'),
  community_id: of('community'),
  communities_space_id: of('communities/space'),
  communities_space_group_id: of('communities/space_group'),
  emails_broadcasts_id: of('emails/broadcast'),
  calendar_event_id: of('calendar_event'),
  survey_workflow_id: of('survey_workflow'),
  workflows_step_id: of('workflows/step'),
}

export type ConditionName = keyof typeof conditions

export const CONDITIONS: readonly ConditionName[] = namesOf(conditions)

const kinds: FieldTable = conditions

/** Returns the kind of record that a condition names. */
export const kindOfCondition = (name: string): string => kinds[name]?.refersTo ?? ''

/** Kinds of records that conditions name. */
export const CONDITION_KINDS: readonly string[] = [...new Set(CONDITIONS.map(kindOfCondition))]

/** Fields by which clients send the conditions. */
export const conditionFields: FieldTable = Object.fromEntries(
  CONDITIONS.map((name) => [name, namedRecord(kindOfCondition(name), { nullable: true })]),
)
