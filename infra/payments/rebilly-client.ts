import { Agent, fetch } from 'undici'
import { type Access, failed, lost, refused, TIMEOUT_MS, unknown } from './gateway.ts'

/** How Rebilly, whose API payments_ai has, is reached, and for whom. */
export interface RebillyAccess extends Access {
  readonly organizationId: string
  /** The website that transactions are made for. */
  readonly websiteId: string
}

/** Of answers, what is read of them. */
export interface Transaction {
  readonly id: string
  readonly status?: string
  readonly result?: string
  readonly requestId?: string | null
  readonly description?: string | null
  readonly childTransactions?: readonly string[]
  readonly gateway?: { readonly response?: { readonly code?: string | null; readonly message?: string | null } | null }
}

export interface Instrument {
  readonly id: string
  readonly method?: string
  readonly brand?: string | null
  readonly last4?: string | null
}

/** Thrown for whatever is no success; `said` is what that means for a request that does something. */
export class NoSuccess extends Error {
  readonly said: ReturnType<typeof failed> | ReturnType<typeof refused> | ReturnType<typeof unknown>

  constructor(said: NoSuccess['said']) {
    super(said.reason)
    this.said = said
  }
}

/** Its own: whoever loads undici first decides on the one of the whole process, and one of another version than fetch does not answer. */
const dispatcher = new Agent()

const meaningOf = (status: number): NoSuccess['said'] => {
  const reason = `the gateway answers ${status}`
  // It has not begun to act.
  if (status === 429) return failed(reason)
  // What came under this key before is under way, or done.
  if (status === 409 || status >= 500) return unknown(reason)
  return refused(reason)
}

/** Requests to the API of Rebilly, with its key. @throws {NoSuccess} */
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
    throw new NoSuccess(meaningOf(status))
  }
}
