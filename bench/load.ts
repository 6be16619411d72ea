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
}

/** From far beyond the data sets, so that what is made under load is nowhere in them. */
let sent = 100_000_000

const requestsOf = ({ shots }: Target): autocannon.Request[] =>
  typeof shots === 'function'
    ? [{ method: 'POST', path: '/', setupRequest: (request) => ({ ...request, ...shots(++sent) }) }]
    : shots.map((shot) => ({ ...shot }))

/** Runs autocannon; its own figures are in whole milliseconds, so that each answer is timed by `onAnswer`. */
const run = (options: autocannon.Options, onAnswer: (milliseconds: number) => void): Promise<autocannon.Result> =>
  new Promise((resolve, reject) => {
    const instance = autocannon(options, (error: Error | null, result) => (error ? reject(error) : resolve(result)))
    instance.on('response', (_client, _status, _bytes, milliseconds) => onAnswer(milliseconds))
  })

/** Keeps `connections` requests in flight for some seconds. @throws {Error} when one is answered with an error */
export const fire = async (target: Target, connections: number, seconds: number): Promise<Volley> => {
  const latencies: number[] = []
  const headers = { 'content-type': 'application/json', ...target.headers }
  const options = { url: target.url, connections, duration: seconds, headers, requests: requestsOf(target) }
  const started = performance.now()
  let last = started
  const { non2xx, errors } = await run(options, (milliseconds) => {
    latencies.push(milliseconds)
    last = performance.now()
  })
  if (non2xx > 0 || errors > 0)
    throw new Error(`${target.url}: ${non2xx} answers were errors, ${errors} requests failed`)
  return { perSecond: (latencies.length * 1000) / (last - started), latencies }
}
