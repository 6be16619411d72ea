import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { ShortTermKey, ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { hashToken } from '../token-hash.ts'
import { AUTHORIZE } from './paths.ts'

interface AdapterDeps {
  readonly shortTerm: ShortTermStore
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Kind of the records that tell when a code or a refresh token was first used. */
const USED = 'oauth/used'

/**
 * How long something that is used once may come again without ending what it gave. Two processes of a client refresh at the same moment, and a
 * client repeats what it got no answer to.
 */
const GRACE_MS: Readonly<Record<string, number>> = { AuthorizationCode: 10_000, RefreshToken: 60_000 }

/** Returns what is stored of a record: neither its own name, which is a secret, nor the address that has it. */
const stored = ({ jti: _, returnTo: __, ...rest }: AdapterPayload): JsonObject =>
  JSON.parse(JSON.stringify(rest)) as JsonObject

const restored = (data: JsonObject, id: string): AdapterPayload => ({
  ...data,
  jti: id,
  ...(data.kind === 'Interaction' && { returnTo: `http://localhost${AUTHORIZE}/${id}` }),
})

const nothing = async () => undefined

/** Session of the library, which lives no longer than a request: who is signed in is known by the accounts' own cookie. */
const forgetful: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

/** Returns the adapter that keeps records of a model in the short-term store, named by digests. Records of one grant are a group. */
export const shortTermAdapter = (model: string, { shortTerm, now }: AdapterDeps): Adapter => {
  if (model === 'Session') return forgetful
  const at = (id: string, kind = `oauth/${model}`): ShortTermKey => ({ kind, key: hashToken(id) })
  const graceMs = GRACE_MS[model]
  /** Whether a code or token was used, and may not come again. */
  const isUsedUp = async (id: string): Promise<boolean> => {
    if (graceMs === undefined) return false
    const used = await shortTerm.get(at(id, USED), now())
    return used !== undefined && now() - Number(used.at) >= graceMs
  }
  return {
    ...forgetful,
    async upsert(id, payload, expiresIn) {
      const until = payload.exp === undefined ? now() + (expiresIn ?? 0) * 1000 : payload.exp * 1000
      const grantId = model === 'Grant' ? id : payload.grantId
      await shortTerm.put(at(id), { data: stored(payload), until, group: grantId && hashToken(grantId) })
    },
    async find(id) {
      const data = await shortTerm.get(at(id), now())
      if (!data) return undefined
      return { ...restored(data, id), ...((await isUsedUp(id)) && { consumed: true }) }
    },
    async consume(id) {
      const data = await shortTerm.get(at(id), now())
      if (!data) throw new errors.InvalidGrant('it is gone')
      const first = { data: { at: now() }, until: Number(data.exp) * 1000, group: hashToken(String(data.grantId)) }
      const earlier = await shortTerm.putNew(at(id, USED), first, now())
      if (earlier && model === 'AuthorizationCode') throw new errors.InvalidGrant('another request used the code first')
    },
    async destroy(id) {
      if (model === 'Grant') await shortTerm.removeGroup(hashToken(id))
      else await shortTerm.take(at(id), now())
    },
    async revokeByGrantId(grantId) {
      await shortTerm.removeGroup(hashToken(grantId))
    },
  }
}
