import type { Answer, Failure } from '../checkout-port.ts'
import type { CoreHost } from './host.ts'
import type { Identity } from './identity.ts'
import type { Page } from './parts.ts'

/** Longest wait for an answer. */
const LIMIT = 10_000

export const wait = ({ window }: CoreHost, ms: number): Promise<unknown> =>
  new Promise((resolve) => window.setTimeout(resolve, ms))

const failure = (code: string, message = code): Failure => ({ ok: false, error: { code, message } })

/** Makes the calls of a page to the SDK's host. They never reject, and tell nothing to a page that has ended. */
export const openTransport = (
  host: CoreHost,
  { token, url, signal }: Pick<Page, 'token' | 'url' | 'signal'>,
  identity: () => Identity | undefined,
) => {
  const request = async <T>(path: string, options?: RequestInit): Promise<Answer<T>> => {
    const answer: unknown = await Promise.race([
      signal.aborted || host.fetch(host.sdk + path, options).then((answer) => answer.json()),
      wait(host, LIMIT).then(() => failure('unreachable')),
    ]).catch((error) => failure('unreachable', `${error}`))
    return (signal.aborted ? failure('abandoned') : answer) as Answer<T>
  }
  const post = async <T>(path: string, body: object, keepalive?: boolean): Promise<Answer<T>> => {
    const answer = await request<T & { session?: string }>(path, {
      method: 'POST',
      keepalive,
      // A text is sent as text/plain, for which no browser asks leave first.
      body: JSON.stringify({ token, url, session: identity()?.session(), ...body }),
    })
    if (answer.session) identity()?.keep(answer.session)
    return answer
  }
  return { request, post }
}
