import { appliedTag } from '../../contacts/contact/model.ts'
import { contacts } from '../../contacts/public.ts'
import { ask } from '../../kernel/decide/ask.ts'
import { choice } from '../../kernel/model/fields.ts'
import { type Effect, type EffectContext, failed, idsIn } from './effect.ts'
import { stepType } from './step-type.ts'

const effect = async ({ run: { contact_id }, settings, read, mint }: EffectContext): Promise<Effect> => {
  const wanted = idsIn(settings.contacts_tag_ids)
  const found = await read.documents.getMany('contacts/tag', wanted)
  const tag_ids = wanted.filter((_, index) => found[index])
  if (tag_ids.length === 0) return failed('the tags are gone')
  const atMostOneEvent = tag_ids.length === 1
  if (settings.action === 'Remove Tags')
    return { asks: [ask(contacts, contact_id, 'untag', { tag_ids })], atMostOneEvent }
  const ids = tag_ids.map(() => mint(appliedTag))
  return { asks: [ask(contacts, contact_id, 'tag', { tag_ids }, { ids })], atMostOneEvent }
}

/** Puts tags on the contact, or takes them off. */
export const contactTag = stepType('contact_tag_step', {
  fields: { action: choice(['Add Tags', 'Remove Tags'], { nullable: true }) },
  refers: { contacts_tag_ids: { to: 'contacts/tag', foundBy: 'tag_ids', isGivenUp: true } },
  needs: ['action', 'contacts_tag_ids'],
  does: { kind: 'acts', effect },
})
