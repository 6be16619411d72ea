import type { Outbound } from '../../../domain/kernel/ports/outbound.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { agentMetadata, isFault } from './agent-client.ts'

const MOST_BYTES = 64 * 1024
const TIMEOUT_MS = 5000

/** Headers by which a document may be cached. */
const CACHING = ['cache-control', 'expires'] as const

const objectIn = (bytes: Uint8Array): JsonObject => {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object')
  return value as JsonObject
}

/**
 * Returns a function that fetches what a client says about itself at its id. It is as strict as the registration: what is passed on is what would be
 * registered.
 *
 * @throws {Error} from the function, saying why there is no such document
 */
export const documentFetcher =
  (outbound: Pick<Outbound, 'get'>) =>
  async (id: string): Promise<Response> => {
    const request = {
      url: id,
      accept: 'application/json',
      mostBytes: MOST_BYTES,
      timeoutMs: TIMEOUT_MS,
      mostRedirects: 0,
    }
    const file = await outbound.get(request)
    if (file.kind !== 'fetched') throw new Error(file.reason)
    const said = objectIn(file.content)
    if (said.client_id !== id) throw new Error('its client_id is not its own address')
    const metadata = agentMetadata(said)
    if (isFault(metadata)) throw new Error(metadata.description)
    const headers = CACHING.flatMap((name) => {
      const value = file.headers?.[name]
      return value === undefined ? [] : [[name, value] as [string, string]]
    })
    return new Response(JSON.stringify({ ...metadata, client_id: id }), { headers })
  }
