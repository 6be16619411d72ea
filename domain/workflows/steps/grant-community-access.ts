import { granting } from '../../communities/public.ts'
import { type Effect, type EffectContext, failed, idsIn } from './effect.ts'
import { stepType } from './step-type.ts'

const effect = async ({ run: { contact_id }, settings, read, mint }: EffectContext): Promise<Effect> => {
  const asks = await granting(contact_id, idsIn(settings.space_ids), { read, mint })
  return asks.length > 0 ? { asks } : failed('the spaces are gone')
}

/** Brings the contact into spaces of communities, and makes it a member there. */
export const grantCommunityAccess = stepType('grant_community_access_step', {
  refers: { space_ids: { to: 'communities/space', foundBy: 'space_ids' } },
  needs: ['space_ids'],
  does: { kind: 'acts', effect },
})
