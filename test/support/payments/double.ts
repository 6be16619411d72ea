import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** How a gateway double treats requests. With `acts and …` it does what is asked, but the answer never arrives. */
export type Behaviour = 'answers' | 'acts and hangs' | 'acts and cuts' | 'cuts' | 'is busy' | 'is broken'

/** The parts of a request that doubles read. */
export interface DoubleRequest {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  header(name: string): string | undefined
}

export interface Reply {
  readonly status: number
  readonly body: object
}

export interface Double {
  readonly url: string
  /** Every request, queries too: method and path. */
  readonly asked: readonly string[]
  /** Sets the behaviour from now on. @param of path of the only requests that it is for; the others are answered */
  behaves(manner: Behaviour, of?: string): void
  /** Stops listening. */
  close(): Promise<void>
}

const told = async (request: IncomingMessage): Promise<DoubleRequest> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://double')
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  return { method: request.method ?? 'GET', path: pathname, query: searchParams, body: await text(request), header }
}

/** Connections are closed after each answer, so that a client never reuses one to a double that is closing. */
const say = (response: ServerResponse, { status, body }: Reply) =>
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body))

/** Serves a double over HTTP. Queries are always answered, so that the outcome of a request can be found out. */
export const openDouble = async (
  answer: (told: DoubleRequest) => Reply,
  problem: (status: number) => object,
): Promise<Double> => {
  let manner: Behaviour = 'answers'
  let only: string | undefined
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const asked = await told(request)
    requests.push(`${asked.method} ${asked.path}`)
    const isOther = only !== undefined && asked.path !== only
    if (asked.method === 'GET' || manner === 'answers' || isOther) return say(response, answer(asked))
    if (manner === 'is busy') return say(response, { status: 429, body: problem(429) })
    if (manner === 'is broken') return say(response, { status: 500, body: problem(500) })
    if (manner !== 'cuts') answer(asked)
    return manner === 'acts and hangs' ? undefined : request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: requests,
    behaves(next, of) {
      manner = next
      only = of
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
