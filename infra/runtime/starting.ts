import { randomUUID } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { errorBody } from '../../api/errors.ts'
import { askAgainIn, ONE_MOMENT } from '../../api/pages/one-moment.ts'
import { ROBOTS_BEFORE } from '../../api/pages/robots.ts'

/** After how many seconds a client asks again. */
const AGAIN_S = 2

const JSON_TYPE = 'application/json; charset=utf-8'

const answer = (response: ServerResponse, status: number, type: string, body: string, headers = {}): void => {
  const length = Buffer.byteLength(body)
  const own = { 'Content-Type': type, 'Content-Length': length, 'X-Content-Type-Options': 'nosniff' }
  response.writeHead(status, { ...own, 'Cache-Control': 'no-store', ...headers }).end(body)
}

const pathOf = (url: string | undefined): string => (url ?? '').replace(/\?.*/s, '')

/** Answers while the process starts. It is live, so that no orchestrator ends it, and not ready. */
export const starting: RequestListener = ({ url }, response) => {
  const path = pathOf(url)
  if (path === '/health/live') return answer(response, 200, JSON_TYPE, JSON.stringify({ status: 'live' }))
  const body = path === '/health/ready' ? { status: 'not ready', reason: 'starting' } : undefined
  const text = JSON.stringify(body ?? errorBody('Service unavailable: it is starting', randomUUID()))
  return answer(response, 503, JSON_TYPE, text, { 'Retry-After': String(AGAIN_S) })
}

/** Answers visitors while the process starts. Crawlers are told what they may ask for, since many take an error for a ban. */
export const startingPages: RequestListener = ({ url }, response) =>
  pathOf(url) === '/robots.txt'
    ? answer(response, 200, 'text/plain; charset=utf-8', ROBOTS_BEFORE)
    : answer(response, 503, 'text/html; charset=utf-8', ONE_MOMENT, askAgainIn(AGAIN_S))
