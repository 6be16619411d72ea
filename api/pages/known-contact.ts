import { contact, contacts } from '../../domain/contacts/public.ts'
import { chooserFor } from '../../domain/funnels/public.ts'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { session, sessions } from '../../domain/visits/public.ts'
import { sessionSecrets } from '../sdk/visitor.ts'
import type { PagesService } from './service.ts'

/** Visitor of a host, as cookies tell. */
interface Visit {
  readonly cookies: string
  readonly workspaceId: number
}

/** Length of the id of the browser, which stands before the secret of its session. */
const VISITOR_LENGTH = 22
/** Most cookies of the SDK that are looked at. A browser has one for a workspace. */
const MOST_COOKIES = 5

/** Returns the secrets of sessions in the cookies that the SDK keeps for a workspace on the page's host. */
const secretsIn = ({ cookies, workspaceId }: Visit, { publicIds }: PagesService): readonly string[] => {
  const ending = `_${publicIds.of('workspace').encode(workspaceId)}`
  return cookies
    .split(';')
    .map((part) => part.trim().split('='))
    .filter(
      ([name = '', value = '']) => name.startsWith('cf_') && name.endsWith(ending) && value.length > VISITOR_LENGTH,
    )
    .slice(0, MOST_COOKIES)
    .map(([, value = '']) => value.slice(VISITOR_LENGTH))
}

/** Returns the contact of a visitor who has said who it is in this browser. */
const contactOf = async (visit: Visit, service: PagesService): Promise<RecordOf<typeof contact> | undefined> => {
  const { engine, secrets } = service
  const { idIn } = sessionSecrets(secrets)
  for (const secret of secretsIn(visit, service)) {
    const id = idIn(secret, visit)
    const found = id === undefined ? undefined : (await engine.records(sessions, id, -1)).root(session)
    if (!found || found.erased || found.contact_id === null) continue
    const known = (await engine.records(contacts, found.contact_id, -1)).root(contact)
    if (known && known.deleted_at === null) return known
  }
  return undefined
}

/** Returns whether a visitor meets a stored filter; `undefined` for one who is not known. */
export const meetsFilter = async (
  service: PagesService,
  visit: Visit,
  filterId: number | null,
): Promise<boolean | undefined> => {
  const known = await contactOf(visit, service)
  if (!known) return undefined
  const at = new Date(service.now(visit.workspaceId)).toISOString()
  const choose = chooserFor(
    { read: boundTo(service.everywhere, visit), vault: service.vault },
    { visitor: '', contact: known, at },
  )
  const filter = filterId === null ? null : { id: filterId, public_id: '' }
  return (await choose({ type: 'conditional_split_step', id: 0, filter, branches: [[], []] })) === 0
}
