import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import type { OAuthDeps } from '../deps.ts'
import { REGISTERED } from './agent-client.ts'

/** Kind of the records of clients that registered themselves. */
export const CLIENTS = 'oauth/Client'

const DAY_MS = 86_400_000
/** How long a registration stays that nobody has consented to. */
const UNUSED_MS = 30 * DAY_MS
/** How long a running authorization may need its client. */
const RUNNING_MS = DAY_MS

type ClientDeps = Pick<OAuthDeps, 'shortTerm' | 'now'>

/** Returns a registered client; `undefined` if there is none, or it has been removed. */
export const registeredClient = ({ shortTerm, now }: ClientDeps, id: string): Promise<JsonObject | undefined> =>
  shortTerm.get({ kind: CLIENTS, key: id }, now())

/** Keeps a new registration, until it has been unused for long. */
export const keepRegistration = ({ shortTerm, now }: ClientDeps, id: string, client: JsonObject): Promise<void> => {
  const until = now() + UNUSED_MS
  return shortTerm.put({ kind: CLIENTS, key: id }, { data: { ...client, until }, until })
}

/** Keeps a registration for as long as a running authorization may need it. */
export const keepWhileRunning = async (deps: ClientDeps, id: string): Promise<void> => {
  const client = await registeredClient(deps, id)
  const until = deps.now() + RUNNING_MS
  if (!client || client.until === null || Number(client.until) >= until) return
  await deps.shortTerm.put({ kind: CLIENTS, key: id }, { data: { ...client, until }, until })
}

/** Keeps a registration for good: somebody has consented, so tokens need it. */
export const keepForGood = async (deps: ClientDeps, id: string): Promise<void> => {
  const client = await registeredClient(deps, id)
  if (!client || client.until === null) return
  await deps.shortTerm.put({ kind: CLIENTS, key: id }, { data: { ...client, until: null }, until: null })
}

const nothing = async () => undefined

/** Returns the adapter by which the library finds clients. Those whose id is an address are none of its: their metadata is fetched. */
export const clientAdapter = (
  deps: ClientDeps,
  applicationOf: (clientId: string) => Promise<AdapterPayload | undefined>,
): Adapter => ({
  async find(id) {
    if (!id.startsWith(REGISTERED)) return applicationOf(id)
    const client = await registeredClient(deps, id)
    if (!client) return undefined
    const { until: _, ...metadata } = client
    return metadata as AdapterPayload
  },
  upsert: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
})
