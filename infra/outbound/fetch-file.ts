import type { Dispatcher } from 'undici'
import type { OutboundFile, OutboundGet } from '../../domain/kernel/ports/outbound.ts'
import { exchange, headerOf } from './exchange.ts'
import { type TargetPolicy, targetObjection } from './target.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MOST_REDIRECTS = 3

const failed = (reason: string): OutboundFile => ({ kind: 'failed', reason })

/** Where an answer sends on to; `undefined` for what is no address. */
const nextOf = (location: string | undefined, url: string): string | undefined =>
  location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined

/**
 * Gets a file, with few redirects; every address on the way is held against the guard, and the connection to it once more.
 *
 * @param timeoutMs for all of it together
 */
export const fetchFile = async (
  dispatcher: Dispatcher,
  policy: TargetPolicy,
  timeoutMs: number,
  { url: first, accept, mostBytes }: OutboundGet,
): Promise<OutboundFile> => {
  const until = performance.now() + timeoutMs
  // What is compressed on the way would have to be bounded a second time.
  const headers = { accept, 'accept-encoding': 'identity' }
  for (let [url, redirects] = [first, 0]; ; redirects++) {
    const objection = targetObjection(url, policy)
    if (objection) return { kind: 'refused', reason: objection }
    const { origin, pathname, search } = new URL(url)
    const left = Math.max(1, until - performance.now())
    const limits = { timeoutMs: left, maxAnswerBytes: mostBytes, keptBytes: mostBytes }
    const got = await exchange(dispatcher, { origin, path: pathname + search, method: 'GET', headers }, limits)
    if (got.kind !== 'answered') return performance.now() < until ? got : failed('it takes too long')
    const { status, body, isWhole } = got
    if (REDIRECTS.has(status)) {
      const next = nextOf(headerOf(got.headers, 'location'), url)
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
