import { randomUUID } from 'node:crypto'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { eventTypesOf, subscribable, subscriptionKeys } from '../../domain/webhooks/catalog.ts'
import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import { endpoints } from '../../domain/webhooks/endpoint/rules.ts'
import { asStandardSecret, secretOf } from '../../domain/webhooks/endpoint/secrets.ts'
import type { Background } from '../runtime/background.ts'
import { carryOut } from './carry-out.ts'

const NAME = 'millrace webhooks listen'
const ENDPOINTS = 'webhooks/outgoing/endpoint'

export interface ListenerOptions {
  readonly workspaceId: number
  /** URL of the listener, on this machine. */
  readonly url: string
  /** Keys or aliases of event types; none: all types. */
  readonly types: readonly string[]
}

/** A temporary endpoint for a developer. */
export interface Listener {
  readonly endpointId: number
  readonly signingSecret: string
  /** Removes the endpoint. */
  stop(): Promise<void>
}

const listening = new Set<number>()

/**
 * Creates an endpoint that calls this machine while a listener runs, with an exemption from the guard of outgoing requests.
 *
 * @throws {Refusal} not found, for an unknown workspace; invalid, for an unknown event type
 */
export const startListener = async (background: Background, options: ListenerOptions): Promise<Listener> => {
  const { core, stores, outbound } = background
  const { live } = stores.readModels
  const workspace = await live.get('workspace', options.workspaceId)
  if (!workspace) throw refuse.notFound('No such workspace')
  const known = subscriptionKeys(subscribable(eventTypesOf([...core.resources.values()])))
  const unknown = options.types.find((type) => !known.includes(type))
  if (unknown) throw refuse.invalid(`'${unknown}' is not an event type; there are ${known.join(', ')}`)
  const scope = { teamId: Number(workspace.team_id), workspaceId: options.workspaceId }
  const order = (asked: Ask) =>
    carryOut({ engine: core.engine, reached: background.reached }, asked, scope, core.now(scope.workspaceId))
  const remove = (id: number) => order(ask(endpoints, id, 'remove', {}))

  for (const endpoint of await live.find(ENDPOINTS, { where: { workspace_id: options.workspaceId } })) {
    // It belonged to a listener that was cut off together with the service.
    if (endpoint.name === NAME && !listening.has(Number(endpoint.id))) await remove(Number(endpoint.id))
  }
  const id = await withIds(core.ids, () => core.ids.next(ENDPOINTS))
  const close = outbound.exempt(new URL(options.url).origin)
  listening.add(id)
  const types = options.types.length > 0 ? options.types : known.filter((key) => key.startsWith('$'))
  const fields = { url: options.url, name: NAME, event_type_ids: types, nonce: randomUUID() }
  await order(ask(endpoints, id, 'create', fields))
  const { secret } = (await live.get(ENDPOINTS, id)) as EndpointRecord
  return {
    endpointId: id,
    signingSecret: asStandardSecret(secretOf(stores.secrets, id, secret.nonce)),
    async stop() {
      await remove(id)
      listening.delete(id)
      close()
    },
  }
}
