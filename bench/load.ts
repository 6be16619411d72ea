import autocannon from 'autocannon'

export interface Shot {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

export interface Target {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Requests that are sent in turn, or a function that makes each request unique. */
  readonly shots: readonly Shot[] | ((number: number) => Shot)
}

export interface Volley {
  readonly perSecond: number
  /** Milliseconds from each request to its answer. */
  readonly latencies: readonly number[]
  /** The latencies by status of the answer. */
  readonly byStatus: ReadonlyMap<number, readonly number[]>
}

const TIMEOUT_SECONDS = 120

/** Starts far above the numbers of the data sets, so that new contacts never collide with theirs. */
let sent = 100_000_000

/** The share of the requests that one connection sends. Each has only its share, since it holds the bytes of all its requests. */
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

/** Runs autocannon. Its own figures are in whole milliseconds, so `onAnswer` times each answer. */
const run = (options: autocannon.Options, onAnswer: OnAnswer): Promise<autocannon.Result> =>
  new Promise((resolve, reject) => {
    const instance = autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result)))
    instance.on('response', (client, status, _bytes, milliseconds) => onAnswer(client, status, milliseconds))
  })

/**
 * Keeps `connections` requests in flight for some seconds, or until a number of them is answered. With several connections the first
 * answer of each does not count: it waited until the requests of all connections were built.
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
    // Building a million requests takes longer than autocannon's default timeout for the first answers.
    timeout: TIMEOUT_SECONDS,
    ...(requests !== undefined && { amount: requests }),
    headers: { 'content-type': 'application/json', ...target.headers },
    ...requestsOf(target, connections),
  }
  // 304 and 302 are answers like others.
  const {
    '4xx': refused,
    '5xx': failed,
    errors,
  } = await run(options, (client, status, milliseconds) => {
    last = performance.now()
    first ??= connections === 1 ? last - milliseconds : last
    if (connections > 1 && !begun.has(client)) return void begun.add(client)
    latencies.push(milliseconds)
    const alike = byStatus.get(status)
    if (alike) alike.push(milliseconds)
    else byStatus.set(status, [milliseconds])
  })
  if (refused + failed + errors > 0)
    throw new Error(`${target.url}: ${refused + failed} answers were errors, ${errors} requests failed`)
  return { perSecond: (latencies.length * 1000) / (last - (first ?? last)), latencies, byStatus }
}
