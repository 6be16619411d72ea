import autocannon from 'autocannon'

export interface Shot {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

export interface Target {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent in turn; or made for each request, where no two may be the same. */
  readonly shots: readonly Shot[] | ((number: number) => Shot)
}

export interface Volley {
  readonly perSecond: number
  /** Milliseconds from each request to its answer. */
  readonly latencies: readonly number[]
  /** The same by status of the answer. */
  readonly byStatus: ReadonlyMap<number, readonly number[]>
}

const TIMEOUT_SECONDS = 120

/** From far beyond the data sets, so that what is made under load is nowhere in them. */
let sent = 100_000_000

/** What one of the connections sends: its part, since each keeps the bytes of all its requests. */
export const shareOf = <T>(all: readonly T[], connections: number, connection: number): readonly T[] =>
  all.length < connections
    ? all
    : Array.from(
        { length: Math.ceil((all.length - connection) / connections) },
        (_, i) => all[connection + i * connections]!,
      )

const requestsOf = ({ shots }: Target, connections: number): Partial<autocannon.Options> => {
  if (typeof shots === 'function')
    return { requests: [{ method: 'POST', path: '/', setupRequest: (request) => ({ ...request, ...shots(++sent) }) }] }
  let connection = 0
  return {
    setupClient(client) {
      client.setRequests(shareOf(shots, connections, connection++).map((shot) => ({ ...shot })))
    },
  }
}

type OnAnswer = (client: unknown, status: number, milliseconds: number) => void

/** Runs autocannon; its own figures are in whole milliseconds, so that each answer is timed by `onAnswer`. */
const run = (options: autocannon.Options, onAnswer: OnAnswer): Promise<autocannon.Result> =>
  new Promise((resolve, reject) => {
    const instance = autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result)))
    instance.on('response', (client, status, _bytes, milliseconds) => onAnswer(client, status, milliseconds))
  })

/**
 * Keeps `connections` requests in flight for some seconds, or until so many are answered. Of several connections the first answer of
 * each does not count: it has waited until the requests of all were made.
 *
 * @throws {Error} when one is answered with an error
 */
export const fire = async (
  target: Target,
  connections: number,
  seconds: number,
  { requests }: { readonly requests?: number | undefined } = {},
): Promise<Volley> => {
  const latencies: number[] = []
  const byStatus = new Map<number, number[]>()
  const begun = new Set<unknown>()
  let first: number | undefined
  let last = 0
  const options = {
    url: target.url,
    connections,
    duration: seconds,
    // To make a million requests takes longer than autocannon would wait for the first answers.
    timeout: TIMEOUT_SECONDS,
    ...(requests !== undefined && { amount: requests }),
    headers: { 'content-type': 'application/json', ...target.headers },
    ...requestsOf(target, connections),
  }
  const { non2xx, errors } = await run(options, (client, status, milliseconds) => {
    last = performance.now()
    first ??= connections === 1 ? last - milliseconds : last
    if (connections > 1 && !begun.has(client)) return void begun.add(client)
    latencies.push(milliseconds)
    const alike = byStatus.get(status)
    if (alike) alike.push(milliseconds)
    else byStatus.set(status, [milliseconds])
  })
  if (non2xx > 0 || errors > 0)
    throw new Error(`${target.url}: ${non2xx} answers were errors, ${errors} requests failed`)
  return { perSecond: (latencies.length * 1000) / (last - (first ?? last)), latencies, byStatus }
}
