import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type ResponseChecker, responseChecker } from './openapi.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: bodies are read freely by tests; their shape is checked against the served document
  readonly body: any
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is, in place of a JSON body. */
  readonly raw?: string
}

/** Calls the API over real HTTP; checks every answer against the OpenAPI document that the service serves. */
export interface ApiClient {
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  get(path: string, options?: CallOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete(path: string, options?: CallOptions): Promise<Answer>
}

/** Milliseconds for which a client retries while documents lag behind. They sometimes do on servers, which are far slower than the embedded stores. */
const ASKS_AGAIN_MS = process.env.MONGODB_URL ? 60_000 : 0
const isLate = (status: number, text: string): boolean => status === 503 && text.includes('cannot be read yet')

const checkers = new Map<string, Promise<ResponseChecker>>()

const checkerFor = (url: string): Promise<ResponseChecker> => {
  const known = checkers.get(url)
  if (known) return known
  const made = fetch(`${url}/api/v2.json`).then(async (response) => responseChecker((await response.json()) as object))
  checkers.set(url, made)
  return made
}

/** @param catchUp waits until the documents have caught up, when an answer says that they lag behind */
export const apiClient = (url: string, token?: string, catchUp?: () => Promise<unknown>): ApiClient => {
  const call: ApiClient['call'] = async (method, path, body, options = {}) => {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const send = () =>
      fetch(`${url}/api/v2${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(payload !== undefined && { body: payload }),
      })
    const begun = Date.now()
    let response = await send()
    let text = await response.text()
    while (isLate(response.status, text) && Date.now() - begun < ASKS_AGAIN_MS) {
      await sleep(Number(response.headers.get('retry-after')) * 1000)
      response = await send()
      text = await response.text()
    }
    if (ASKS_AGAIN_MS > 0 && response.headers.has('millrace-read-side')) await catchUp?.()
    const parsed = text === '' ? undefined : (JSON.parse(text) as unknown)
    const problem = (await checkerFor(url))(method, path, response.status, parsed)
    expect(problem, `${method} ${path} → ${response.status} ${text.slice(0, 2000)}`).to.equal(undefined)
    return { status: response.status, headers: response.headers, body: parsed }
  }
  return {
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
}

/** The body of a successful answer. @throws {Error} with the status and body of any other answer */
export const ok = ({ status, body }: Answer): Answer['body'] => {
  if (status >= 300) throw new Error(`answered ${status} ${JSON.stringify(body)}`)
  return body
}
