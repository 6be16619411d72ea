import { Agent, fetch } from 'undici'
import { type Access, failed, lost, refused, TIMEOUT_MS, unknown } from './gateway.ts'

/** Access to Rebilly, whose API payments_ai has. */
export interface RebillyAccess extends Access {
  readonly organizationId: string
  /** Website that transactions are made for. */
  readonly websiteId: string
}

/** Fields of answers that are read. */
export interface Transaction {
  readonly id: string
  readonly status?: string
  readonly result?: string
  readonly requestId?: string | null
  readonly description?: string | null
  readonly _links?: readonly { readonly rel?: string; readonly href?: string }[]
  readonly childTransactions?: readonly string[]
  readonly gateway?: { readonly response?: { readonly code?: string | null; readonly message?: string | null } | null }
}

export interface Instrument {
  readonly id: string
  readonly method?: string
  readonly brand?: string | null
  readonly last4?: string | null
}

/** Thrown for any request without success. `said` is the result for a request that does something. */
export class NoSuccess extends Error {
  readonly said: ReturnType<typeof failed> | ReturnType<typeof refused> | ReturnType<typeof unknown>

  constructor(said: NoSuccess['said']) {
    super(said.reason)
    this.said = said
  }
}

/** Own dispatcher: the first undici to be loaded sets that of the process, and one of another version does not work with `fetch`. */
const dispatcher = new Agent()

const resultOf = (status: number): NoSuccess['said'] => {
  const reason = `the gateway answers ${status}`
  // The gateway has not begun to act.
  if (status === 429) return failed(reason)
  // An earlier request under this key is running, or done.
  if (status === 409 || status >= 500) return unknown(reason)
  return refused(reason)
}

/** Sends requests to the API of Rebilly. @throws {NoSuccess} */
export class RebillyClient {
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>

  constructor({ url, organizationId, secretKey }: RebillyAccess) {
    this.#base = `${url}/organizations/${encodeURIComponent(organizationId)}`
    this.#headers = { 'reb-apikey': secretKey, 'content-type': 'application/json', accept: 'application/json' }
  }

  get<T>(path: string, signal: AbortSignal): Promise<T> {
    return this.#request('GET', path, signal)
  }

  post<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
    return this.#request('POST', path, signal, body)
  }

  put<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
    return this.#request('PUT', path, signal, body)
  }

  async #request<T>(method: string, path: string, signal: AbortSignal, body?: object): Promise<T> {
    let status: number
    try {
      const response = await fetch(this.#base + path, {
        dispatcher,
        method,
        headers: this.#headers,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(body && { body: JSON.stringify(body) }),
      })
      if (response.ok) return (await response.json()) as T
      status = response.status
      await response.body?.cancel()
    } catch (error) {
      throw new NoSuccess(lost((error as { readonly cause?: unknown }).cause))
    }
    throw new NoSuccess(resultOf(status))
  }
}
