import { appliedTag } from '../../contacts/contact/model.ts'
import { contacts } from '../../contacts/public.ts'
import { ask } from '../../kernel/decide/ask.ts'
import { choice } from '../../kernel/model/fields.ts'
import type { Effect, EffectContext } from './effect.ts'
import { stepType } from './step-type.ts'

const effect = async ({ run: { contact_id }, settings, referred, mint }: EffectContext): Promise<Effect> => {
  const tag_ids = referred('contacts_tag_ids').map(({ id }) => Number(id))
  const atMostOneEvent = tag_ids.length === 1
  if (settings.action === 'Remove Tags')
    return { asks: [ask(contacts, contact_id, 'untag', { tag_ids })], atMostOneEvent }
  const ids = tag_ids.map(() => mint(appliedTag))
  return { asks: [ask(contacts, contact_id, 'tag', { tag_ids }, { ids })], atMostOneEvent }
}

/** Puts tags on the contact, or takes them off. */
export const contactTag = stepType('contact_tag_step', {
  fields: { action: choice(['Add Tags', 'Remove Tags'], { nullable: true }) },
  refers: { contacts_tag_ids: { to: 'contacts/tag', foundBy: 'tag_ids', isGivenUp: true, gone: 'the tags are gone' } },
  needs: ['action', 'contacts_tag_ids'],
  does: { kind: 'acts', effect },
})
