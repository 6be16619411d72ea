import { granting, revoking } from '../../communities/public.ts'
import { type Effect, type EffectContext, failed, idsIn } from './effect.ts'

/** Brings the contact into spaces of communities, and makes it a member there. */
export const grantCommunityAccess = async ({
  run: { contact_id },
  settings,
  read,
  mint,
}: EffectContext): Promise<Effect> => {
  const asks = await granting(contact_id, idsIn(settings.space_ids), { read, mint })
  return asks.length > 0 ? { asks } : failed('the spaces are gone')
}

/** Takes the contact out of spaces of communities. */
export const revokeCommunityAccess = async ({
  run: { contact_id },
  settings,
  read,
}: EffectContext): Promise<Effect> => ({ asks: await revoking(contact_id, idsIn(settings.space_ids), read) })
