import { managed } from '../../kernel/model/field.ts'
import { flag, integer, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

type WithFields = { readonly field_ids: readonly number[] }
type WithOptions = { readonly option_ids: readonly number[] }

const endsOptions = { ends: true, of: ({ option_ids }: WithOptions) => option_ids } as const

/** Answer that visitors can choose in a field. */
export const option = model('forms/fields/option', {
  stream: 'form',
  owner: 'form_id',
  attributes: {
    field_id: managed(reference('forms/field', { required: true })),
    label: text({ required: true, trim: true }),
    sort_order: managed(integer({ nullable: true })),
  },
  events: {
    FormOptionAdded: { creates: true },
    FormOptionChanged: { changes: 'rest' },
    FormOptionRemoved: { ends: true },
    FormFieldRemoved: endsOptions,
    FormFieldSetRemoved: endsOptions,
  },
})

/** Question of a form. */
export const field = model('forms/field', {
  stream: 'form',
  owner: 'form_id',
  attributes: {
    field_set_id: managed(reference('forms/field_set', { required: true })),
    label: text({ required: true, trim: true }),
    field_type: text({ nullable: true, emptyIsNull: true, max: 100 }),
    allow_multiple: flag({ nullable: true, initial: false, about: 'Whether an answer may choose several options' }),
    key: text({ required: true, trim: true, max: 255, about: 'Name of the field in what visitors submit' }),
    hidden: flag({ nullable: true, initial: false }),
    sort_order: managed(integer({ nullable: true })),
    /** Page that a visitor was on who made up the attribute. */
    page_id: managed(reference('page', { nullable: true, onTargetEnd: 'keep' }), { shown: 'never' }),
  },
  events: {
    FormFieldAdded: { creates: true, except: ['page_id'] },
    /** The field of an attribute that contacts have. */
    ContactAttributeAdded: { creates: true },
    FormFieldChanged: { changes: 'rest' },
    FormFieldsReordered: {
      of: ({ field_ids }: WithFields) => field_ids,
      evolve: (_, { field_ids }: WithFields, { id }) => ({ sort_order: field_ids.indexOf(id) }),
    },
    FormFieldRemoved: { ends: true },
    FormFieldSetRemoved: { ends: true, of: ({ field_ids }: WithFields) => field_ids },
  },
})

/** Fields of a form that belong together, under a title. */
export const fieldSet = model('forms/field_set', {
  stream: 'form',
  owner: 'form_id',
  attributes: { title: text({ required: true, trim: true }) },
  events: {
    FormFieldSetAdded: { creates: true },
    FormFieldSetChanged: { changes: 'rest' },
    // The order of its fields is a matter of the set.
    FormFieldsReordered: {},
    FormFieldSetRemoved: { ends: true },
  },
})

/** Form that visitors fill in, with its field sets, their fields, and the options of these. */
export const form = model('form', {
  attributes: {
    name: text({ required: true, trim: true }),
    /** Whether its fields are the custom attributes of the workspace's contacts. */
    of_contacts: managed(flag({ default: false }), { shown: 'never' }),
  },
  events: {
    FormCreated: { creates: true, except: ['of_contacts'] },
    ContactAttributesFormCreated: { creates: true, only: ['name'], constants: { of_contacts: true } },
    FormChanged: { changes: 'rest' },
    FormRemoved: { ends: true },
  },
  children: {
    field_sets: { model: fieldSet, key: 'field_set_id', keys: 'field_set_ids' },
    fields: { model: field, key: 'field_id', keys: 'field_ids' },
    options: { model: option, key: 'option_id', keys: 'option_ids' },
  },
})
