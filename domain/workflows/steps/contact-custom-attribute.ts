import { attributeKey, contacts } from '../../contacts/public.ts'
import { field } from '../../forms/form/model.ts'
import { ask } from '../../kernel/decide/ask.ts'
import { choice, text } from '../../kernel/model/fields.ts'
import { type Effect, type EffectContext, failed, idsIn, textIn } from './effect.ts'
import { MESSAGE } from './message.ts'
import { isFilled, stepType } from './step-type.ts'

const effect = async ({ run: { contact_id }, settings, read }: EffectContext): Promise<Effect> => {
  const [fieldId] = idsIn(settings.field_id)
  const found = await read.one(field, fieldId)
  if (!found) return failed('the field is gone')
  const key = attributeKey(found.key)
  if (key === undefined) return failed('contacts cannot have an attribute of this name')
  const value = settings.action === 'Remove Attribute' ? '' : (textIn(settings.value) ?? '')
  return { asks: [ask(contacts, contact_id, 'change', { custom_attributes: { [key]: value } })], atMostOneEvent: true }
}

/** Sets an attribute of the contact, or empties it. */
export const contactCustomAttribute = stepType('contact_custom_attribute_step', {
  fields: { action: choice(['Add Attribute', 'Remove Attribute'], { nullable: true }), value: text(MESSAGE) },
  refers: { field_id: { to: 'forms/field', foundBy: 'field_id', isGivenUp: true } },
  needs: ['action', 'field_id'],
  isSetUp: ({ action, value }) => action !== 'Add Attribute' || isFilled(value),
  does: { kind: 'acts', effect },
})
