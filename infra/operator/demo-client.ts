import { createHash } from 'node:crypto'

/** Workspace to fill over the API, and the key for it. */
export interface Shop {
  /** Base URL of the API. */
  readonly api: string
  readonly workspaceId: number
  readonly apiKey: string
  /** Id of all its requests. */
  readonly requestId: string
  /** Whether workspaces share a domain from which they may send. */
  readonly sharesSender: boolean
}

/** What is read of the records that the API answers with. */
export interface ApiRecord {
  readonly id: number
  readonly public_id: string
  readonly default_variant_id: number
  readonly status: string
  readonly order_id: number
  readonly line_items: readonly { readonly id: number }[]
}

/** Client of the API for one workspace. */
export interface ShopClient {
  /** Path of the workspace. */
  readonly workspace: string
  readonly sharesSender: boolean
  /** Sends a request. @throws {Error} when it is refused */
  ask<T = ApiRecord>(method: string, path: string, body?: object): Promise<T>
  /** Creates a record with these fields. @throws {Error} when it is refused */
  make(path: string, root: string, fields: object): Promise<ApiRecord>
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Creates a client that fills a workspace through the API, as any client would. */
export const shopClient = ({ api, workspaceId, apiKey, requestId, sharesSender }: Shop): ShopClient => {
  const headers = {
    ...{ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    'x-request-id': requestId,
  }
  const ask = async <T = ApiRecord>(method: string, path: string, body?: object): Promise<T> => {
    const sent = body && { body: JSON.stringify(body) }
    // A repeat has the first answer, so that filling can go on after a kill, and nothing is done twice.
    const repeatable = method !== 'GET' && { 'idempotency-key': digestOf(`${method} ${path} ${sent?.body ?? ''}`) }
    const response = await fetch(api + path, { method, headers: { ...headers, ...repeatable }, ...sent })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    workspace: `/workspaces/${workspaceId}`,
    sharesSender,
    ask,
    make: (path, root, fields) => ask('POST', path, { [root]: fields }),
  }
}
