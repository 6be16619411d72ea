import { attributeKey, contacts } from '../../contacts/public.ts'
import { field } from '../../forms/form/model.ts'
import { ask } from '../../kernel/decide/ask.ts'
import { choice, text } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { type Effect, type EffectContext, failed, textIn } from './effect.ts'
import { MESSAGE } from './message.ts'
import { isFilled, stepType } from './step-type.ts'

const effect = async ({ run: { contact_id }, settings, referred }: EffectContext): Promise<Effect> => {
  const [found] = referred('field_id').map(recordOf(field))
  const key = found && attributeKey(found.key)
  if (key === undefined) return failed('contacts cannot have an attribute of this name')
  const value = settings.action === 'Remove Attribute' ? '' : (textIn(settings.value) ?? '')
  return { asks: [ask(contacts, contact_id, 'change', { custom_attributes: { [key]: value } })], atMostOneEvent: true }
}

/** Sets an attribute of the contact, or empties it. */
export const contactCustomAttribute = stepType('contact_custom_attribute_step', {
  fields: { action: choice(['Add Attribute', 'Remove Attribute'], { nullable: true }), value: text(MESSAGE) },
  refers: { field_id: { to: 'forms/field', foundBy: 'field_id', isGivenUp: true, gone: 'the field is gone' } },
  needs: ['action', 'field_id'],
  isSetUp: ({ action, value }) => action !== 'Add Attribute' || isFilled(value),
  does: { kind: 'acts', effect },
})
