import { managed } from '../../kernel/model/field.ts'
import { list, longText, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** Person whose key seals answers: the contact, or the workspace while no contact is known. */
const person = () => managed(reference('contact', { required: true, onTargetEnd: 'keep' }), { shown: 'never' })

/** What has been answered stays, and its labels with it. */
const kept = { onTargetEnd: 'keep' } as const

/** Answer to a field of the form: a text, or options of the field. */
export const answer = model('forms/submissions/answer', {
  stream: 'forms/submission',
  owner: 'submission_id',
  attributes: {
    field_id: reference('forms/field', { required: true, ...kept }),
    fields_option_id: reference('forms/fields/option', { nullable: true, emptyIsNull: true, ...kept }),
    entry: longText({ nullable: true, personal: true }),
    fields_option_ids: list(reference('forms/fields/option', kept), { nullable: true, initial: [] }),
    /** Labels of the field and of the options that were chosen, as they were then. */
    field_label: managed(text({ nullable: true })),
    option_labels: managed(list(text(), { default: [] })),
    person_id: person(),
  },
  events: {
    FormAnswerGiven: { creates: true },
    FormAnswerChanged: { changes: 'rest' },
    FormAnswerRemoved: { ends: true },
  },
  person: 'person_id',
})

/** What somebody submitted to a form, with the answers. */
export const submission = model('forms/submission', {
  attributes: {
    form_id: managed(reference('form', { required: true, onTargetEnd: { act: 'remove' } })),
    contact_id: reference('contact', { nullable: true, emptyIsNull: true }),
    person_id: person(),
  },
  events: {
    FormSubmitted: { creates: true },
    FormSubmissionAssigned: { sets: ['contact_id', 'person_id'] },
    FormSubmissionRemoved: { ends: true },
  },
  children: { answers: { model: answer, key: 'answer_id', keys: 'answer_ids' } },
})
