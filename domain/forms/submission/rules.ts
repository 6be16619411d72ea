import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { derivedEventsOf } from '../../kernel/model/derived-events.ts'
import { keyOfWorkspace } from '../../kernel/model/personal.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { field, option } from '../form/model.ts'
import { answer, submission } from './model.ts'

type Answer = DecisionContext<typeof answer>
type Submission = DecisionContext<typeof submission>

const answerEvents = derivedEventsOf(answer, submission.children.answers)

/** Seals the answers under the contact, as soon as one is known. */
const identify = ({ before, after, workspaceId }: Submission) => ({
  person_id: after.contact_id ?? before?.person_id ?? keyOfWorkspace(workspaceId),
})

const sealAgain = ({ before, after, records }: Submission) =>
  before && before.person_id !== after.person_id
    ? records.all(answer).flatMap((one) => answerEvents.change(one, { ...one, person_id: after.person_id }))
    : undefined

/** Whether a command chooses a field or options. What was chosen before stays, also when the form has changed since. */
const chooses = ({ act, before, wanted }: Answer): boolean =>
  act !== 'remove' &&
  (before === undefined ||
    wanted.field_id !== undefined ||
    wanted.fields_option_id !== undefined ||
    wanted.fields_option_ids !== undefined)

/** Loads the field that is answered, and its options that are chosen. */
const loadChoice = async (context: Answer, read: Reader) => {
  if (!chooses(context)) return undefined
  const { before, wanted } = context
  const one = wanted.fields_option_id === undefined ? before?.fields_option_id : wanted.fields_option_id
  const several = (wanted.fields_option_ids === undefined ? before?.fields_option_ids : wanted.fields_option_ids) ?? []
  const ids = [...new Set(one ? [one, ...several] : several)]
  const answered = await read.one(field, wanted.field_id ?? before?.field_id)
  return { answered, ids, options: await read.many(option, ids) }
}

/**
 * Holds an answer against its field: one of the form, options of this field, and several only where it allows them. The answer gets the labels of both,
 * so that it can be read when they have been changed or removed.
 */
const answers = ({ before, records }: Answer, choice: Awaited<ReturnType<typeof loadChoice>>) => {
  const submitted = records.root(submission)
  if (!submitted || !choice) return undefined
  const { answered, ids, options } = choice
  if (answered?.form_id !== submitted.form_id)
    return refuse.invalid('Field must be of the form of the submission', 'field_id', 'inclusion')
  if (options.length < ids.length || options.some(({ field_id }) => field_id !== answered.id))
    return refuse.invalid('Fields options must be options of the field', 'fields_option_ids', 'inclusion')
  if (ids.length > 1 && !answered.allow_multiple)
    return refuse.invalid(
      'Fields options must be one: the field does not allow several',
      'fields_option_ids',
      'too_many',
    )
  const labels = { field_label: answered.label, option_labels: options.map(({ label }) => label) }
  return before ? labels : { ...labels, person_id: submitted.person_id }
}

/** Rules of a submission and its answers. */
export const submissions = decider(submission, {
  rules: rules(submission, { save: [identify, sealAgain] }),
  children: [rules(answer, { loadFacts: loadChoice, save: [answers] })],
})
