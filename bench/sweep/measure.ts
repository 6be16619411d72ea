import type { TestService } from '../../test/support/service.ts'
import { type Finding, lineOf } from './finding.ts'
import type { Fields } from './largest.ts'
import type { Watched, watching } from './watch.ts'

/** Longest turn of the loop that is no finding, in milliseconds. */
export const MOST_MS = 50
/** Time from which on a request is sent again, since other work may have fallen into it. */
const NOTED_MS = 35
const AGAIN = 2

export interface Sweep {
  readonly service: TestService
  readonly watch: ReturnType<typeof watching>
  readonly findings: Finding[]
  readonly options: { readonly verbose?: boolean }
}

export interface Request {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: Fields
  readonly token: string
  /** Origin and headers of a page. Default: the API. */
  readonly at?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Prepare = () => Promise<Request>

type Sent = Watched & { readonly sent: number }

/** Sends a request. */
export const send = async (
  { watch, service }: Sweep,
  { method, path, body, token, at, headers: own }: Request,
): Promise<Sent> => {
  const bytes = body && Buffer.from(JSON.stringify(body))
  const headers = own ?? { authorization: `Bearer ${token}`, ...(bytes && { 'content-type': 'application/json' }) }
  const url = `${at ?? service.url}${at || path.startsWith('/api') ? path : `/api/v2${path}`}`
  return { ...(await watch({ url, method, headers, ...(bytes && { body: bytes }) })), sent: bytes?.length ?? 0 }
}

/** Sends a request, once more where it took long, and notes what it held. @returns the first answer */
export const measure = async (sweep: Sweep, prepare: Prepare): Promise<Watched> => {
  const request = await prepare()
  const first = await send(sweep, request)
  let { worked, held } = first
  for (let turn = 0; turn < AGAIN && worked > NOTED_MS; turn++) {
    const again = await send(sweep, await prepare())
    worked = Math.min(worked, again.worked)
    held = Math.min(held, again.held)
  }
  note(sweep, request.name, first, { worked, held })
  return first
}

/** Sends a request that is work for the first time only, and notes what it held. */
export const once = async (sweep: Sweep, request: Request): Promise<void> => {
  const answer = await send(sweep, request)
  note(sweep, request.name, answer, answer)
}

const note = (sweep: Sweep, name: string, first: Sent, { worked, held }: Pick<Sent, 'worked' | 'held'>): void => {
  const { status, sent, bytes: got } = first
  const finding = { name, status, sent, got, first: first.worked, least: worked, held }
  sweep.findings.push(finding)
  if (worked > MOST_MS || sweep.options.verbose) process.stderr.write(`${lineOf(finding)}\n`)
}
