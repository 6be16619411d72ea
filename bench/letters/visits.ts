import { randomBytes } from 'node:crypto'
import type { Shot, Target } from '../load.ts'
import type { Probe } from '../probe.ts'
import { ratesOf, shareLabel } from '../rates.ts'
import { apiOf, liveFunnel } from '../service.ts'

/** Visitors come on connections of their own. */
const MANY = 256
const NEW = `POST /visits, new visitors, ${MANY} at a time`
const AGAIN = `POST /visits, of 2,000 visitors, ${MANY} at a time`
const INIT = `GET /init, ${MANY} at a time`
const VISITORS = 2000
export const ORIGIN = 'https://bench.example'
export const URL_OF_PAGE = `${ORIGIN}/landing`

const random = (): string => randomBytes(17).toString('base64url').slice(0, 22)

/** Headers of what a page of this origin calls. */
export const headers = {
  origin: ORIGIN,
  'content-type': 'text/plain',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
}

export const visit = (token: string, session?: string): string =>
  JSON.stringify({
    ...{ token, url: URL_OF_PAGE, session, consent: true, visitor: random() },
    visit: {
      ...{ id: random(), load: random(), number: 1, age_ms: 12 },
      ...{ search: '?utm_source=bench&utm_medium=cpc', referrer: 'https://news.example/story' },
    },
  })

const sessionsFor = async (sdk: string, token: string): Promise<readonly string[]> => {
  const sessions: string[] = []
  for (let n = 0; n < VISITORS; n++) {
    const response = await fetch(`${sdk}/visits`, { method: 'POST', headers, body: visit(token) })
    sessions.push(((await response.json()) as { readonly session: string }).session)
  }
  return sessions
}

/** (v) The cost of a visit of a page, compared with a write that is only put on disk. */
export const visits: Probe = {
  benchmark: 'v',
  title: () => `visits and the beginning of a page, ${MANY} connections`,
  async prepare(context) {
    const service = await context.start(await context.scratch('visits'), { demo: true })
    const { sdk } = service.ready
    const [page] = await liveFunnel(apiOf(service.ready), [URL_OF_PAGE])
    const { token } = page!
    const sessions = await sessionsFor(sdk, token)
    const posts = (bodyOf: (n: number) => string): Target => ({
      ...{ url: sdk, headers },
      shots: (n): Shot => ({ method: 'POST', path: '/visits', body: bodyOf(n) }),
    })
    const init = `/init?sdk_page_token=${token}&url=${encodeURIComponent(URL_OF_PAGE)}`
    return ratesOf(context, service, [
      { label: NEW, connections: MANY, target: posts(() => visit(token)), beside: 'POST' },
      { label: AGAIN, connections: MANY, target: posts((n) => visit(token, sessions[n % VISITORS])), beside: 'POST' },
      {
        ...{ label: INIT, connections: MANY, beside: 'GET' },
        target: { url: sdk, headers, shots: [{ method: 'GET', path: init }] },
      },
    ])
  },
  targets: [
    { says: 'visits of new visitors per second', of: NEW, atLeast: 3000, goal: 5000 },
    { says: 'visits of known visitors per second', of: AGAIN, atLeast: 3000, goal: 5000 },
    { says: "beginning of a page, share of bare's rate", of: shareLabel(INIT), atLeast: 60 },
  ],
}
