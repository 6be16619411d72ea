import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, rules, type StreamRecords } from '../../kernel/decide/rules.ts'
import { comparable } from '../../kernel/values/comparable.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { ensureFields, keyRefusal, refuseRemoval } from './contact-attributes.ts'
import { field, fieldSet, form, option } from './model.ts'

const { event } = form

/** Returns the position behind all others. */
const last = (others: readonly { readonly sort_order: number | null }[]): number =>
  others.reduce((most, { sort_order }) => Math.max(most, (sort_order ?? -1) + 1), 0)

const fieldsIn = (records: StreamRecords, fieldSetId: number) =>
  records.all(field).filter(({ field_set_id }) => field_set_id === fieldSetId)

const optionsOf = (records: StreamRecords, fieldIds: readonly number[]): readonly number[] => {
  const fields = new Set(fieldIds)
  return records.all(option).flatMap(({ id, field_id }) => (fields.has(field_id) ? [id] : []))
}

/** Puts a new field behind the others of its set. No two fields of a form have the same key, since answers are found by it. */
const placeField = ({ id, before, after, records }: DecisionContext<typeof field>) => {
  const refusal = keyRefusal(records, before?.key, after.key)
  if (refusal) return refusal
  const key = comparable(after.key)
  if (records.all(field).some((other) => other.id !== id && comparable(other.key) === key))
    return refuse.invalid('Key has already been taken', 'key', 'taken')
  return before ? undefined : { sort_order: last(fieldsIn(records, after.field_set_id)) }
}

const placeOption = ({ before, after, records }: DecisionContext<typeof option>) =>
  before ? undefined : { sort_order: last(records.all(option).filter(({ field_id }) => field_id === after.field_id)) }

/** Brings the fields of a set into an order, which must name each of them once. */
const reorder = ({
  id,
  records,
  wanted: { ids_in_order },
}: ActContext<typeof fieldSet, { readonly ids_in_order: readonly number[] }>) => {
  const present = fieldsIn(records, id).map((one) => one.id)
  const wanted = new Set(ids_in_order)
  if (wanted.size !== ids_in_order.length || wanted.size !== present.length || present.some((one) => !wanted.has(one)))
    return refuse.invalid('Ids in order must name each field of the set once', 'ids_in_order', 'inclusion')
  const isInOrder = ids_in_order.every((one, at) => records.one(field, one)?.sort_order === at)
  return isInOrder ? [] : [event.FormFieldsReordered({ field_set_id: id, field_ids: ids_in_order })]
}

const removeField = ({ id, records }: ActContext<typeof field>) => [
  event.FormFieldRemoved({ field_id: id, option_ids: optionsOf(records, [id]) }),
]

const removeFieldSet = ({ id, records }: ActContext<typeof fieldSet>) => {
  const field_ids = fieldsIn(records, id).map((one) => one.id)
  return [event.FormFieldSetRemoved({ field_set_id: id, field_ids, option_ids: optionsOf(records, field_ids) })]
}

/** Rules of a form with everything in it. */
export const forms = decider(form, {
  rules: rules(form, { preventRemoval: refuseRemoval, acts: { ensureFields } }),
  children: [
    rules(fieldSet, { remove: removeFieldSet, acts: { reorder } }),
    rules(field, { save: [placeField], remove: removeField }),
    rules(option, { save: [placeOption] }),
  ],
})
