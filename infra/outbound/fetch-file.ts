import type { Dispatcher } from 'undici'
import type { OutboundFile, OutboundGet } from '../../domain/kernel/ports/outbound.ts'
import { exchange, headerOf } from './exchange.ts'
import { type TargetPolicy, targetObjection } from './target.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MOST_REDIRECTS = 3

const MIB = 1024 * 1024

const sizeWords = (bytes: number): string =>
  bytes < MIB ? `${Math.floor(bytes / 1024)} kB` : `${Math.floor(bytes / MIB)} MB`

const cachingIn = (headers: Parameters<typeof headerOf>[0]) => ({
  'cache-control': headerOf(headers, 'cache-control'),
  expires: headerOf(headers, 'expires'),
})

const failed = (reason: string): OutboundFile => ({ kind: 'failed', reason })

/** Returns the target of a redirect; `undefined`: it is not a valid URL. */
const nextOf = (location: string | undefined, url: string): string | undefined =>
  location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined

/**
 * Fetches a file, with a few redirects. The guard checks every URL on the way, and then the connection.
 *
 * @param usualTimeoutMs for everything together
 */
export const fetchFile = async (
  dispatcher: Dispatcher,
  policy: TargetPolicy,
  usualTimeoutMs: number,
  { url: first, accept, mostBytes, timeoutMs = usualTimeoutMs, mostRedirects = MOST_REDIRECTS }: OutboundGet,
): Promise<OutboundFile> => {
  const until = performance.now() + timeoutMs
  // A compressed answer would need a second limit for its decompressed size.
  const headers = { accept, 'accept-encoding': 'identity' }
  for (let [url, redirects] = [first, 0]; ; redirects++) {
    const objection = targetObjection(url, policy)
    if (objection) return { kind: 'refused', reason: objection }
    const { origin, pathname, search } = new URL(url)
    const left = Math.max(1, until - performance.now())
    const limits = { timeoutMs: left, maxAnswerBytes: mostBytes, keptBytes: mostBytes }
    const answer = await exchange(dispatcher, { origin, path: pathname + search, method: 'GET', headers }, limits)
    if (answer.kind !== 'answered') return performance.now() < until ? answer : failed('it takes too long')
    const { status, body, isWhole } = answer
    if (REDIRECTS.has(status)) {
      const next = nextOf(headerOf(answer.headers, 'location'), url)
      if (next === undefined) return failed('it redirects to no address')
      if (redirects === mostRedirects) return failed('there are too many redirects')
      url = next
      continue
    }
    if (status !== 200) return failed(`the answer is ${status}`)
    if (isWhole) return { kind: 'fetched', content: body, headers: cachingIn(answer.headers) }
    if (body.length === mostBytes) return failed(`it is larger than ${sizeWords(mostBytes)}`)
    return failed(performance.now() < until ? 'the answer breaks off' : 'it takes too long')
  }
}
