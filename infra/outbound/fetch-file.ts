import type { Dispatcher } from 'undici'
import type { OutboundFile, OutboundGet } from '../../domain/kernel/ports/outbound.ts'
import { exchange, headerOf } from './exchange.ts'
import { type TargetPolicy, targetObjection } from './target.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MOST_REDIRECTS = 3

const failed = (reason: string): OutboundFile => ({ kind: 'failed', reason })

/** Returns the target of a redirect; `undefined`: it is not a valid URL. */
const nextOf = (location: string | undefined, url: string): string | undefined =>
  location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined

/**
 * Fetches a file, with at most `MOST_REDIRECTS` redirects. The guard checks every URL on the way, and then the connection.
 *
 * @param timeoutMs for everything together
 */
export const fetchFile = async (
  dispatcher: Dispatcher,
  policy: TargetPolicy,
  timeoutMs: number,
  { url: first, accept, mostBytes }: OutboundGet,
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
      if (redirects === MOST_REDIRECTS) return failed('there are too many redirects')
      url = next
      continue
    }
    if (status !== 200) return failed(`the answer is ${status}`)
    if (isWhole) return { kind: 'fetched', content: body }
    if (body.length === mostBytes) return failed(`it is larger than ${Math.floor(mostBytes / 1024 / 1024)} MB`)
    return failed(performance.now() < until ? 'the answer breaks off' : 'it takes too long')
  }
}
