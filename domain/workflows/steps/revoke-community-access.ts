import { revoking } from '../../communities/public.ts'
import { type Effect, type EffectContext, idsIn } from './effect.ts'
import { stepType } from './step-type.ts'

const effect = async ({ run: { contact_id }, settings, read }: EffectContext): Promise<Effect> => ({
  asks: await revoking(contact_id, idsIn(settings.space_ids), read),
})

/** Takes the contact out of spaces of communities. */
export const revokeCommunityAccess = stepType('revoke_community_access_step', {
  refers: { space_ids: { to: 'communities/space', foundBy: 'space_ids' } },
  // Nobody is in a space that is gone, which is no failure.
  standsOn: [],
  needs: ['space_ids'],
  does: { kind: 'acts', effect },
  looksAround: true,
})
