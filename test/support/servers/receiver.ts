import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: payloads are read freely by tests
  readonly json: any
  /** Request path. */
  readonly target: string
  /** Milliseconds since 1970 at which the first byte arrived. */
  readonly at: number
}

/** Answers a delivery. The default answers 200. */
export type Behaviour = (received: Received, response: ServerResponse) => void

/** A subscriber's server on the loopback interface, which records all deliveries. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  behave(behaviour: Behaviour): void
  /** Resolves when so many matching deliveries have arrived. */
  until(count: number, matches?: (received: Received) => boolean, timeoutMs?: number): Promise<readonly Received[]>
  close(): Promise<void>
}

const ANSWER: Behaviour = (_received, response) => {
  response.statusCode = 200
  response.end('thank you')
}

export const startReceiver = async (port = 0): Promise<Receiver> => {
  const received: Received[] = []
  let behaviour = ANSWER
  const server: Server = createServer((request, response) => {
    const at = Date.now()
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8')
      const one = { headers: request.headers, body, json: JSON.parse(body), target: request.url ?? '', at }
      received.push(one)
      behaviour(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => {
      behaviour = next
    },
    async until(count, matches = () => true, timeoutMs = 10_000) {
      const giveUp = Date.now() + timeoutMs
      for (;;) {
        const found = received.filter(matches)
        if (found.length >= count) return found
        if (Date.now() > giveUp)
          throw new Error(`only ${found.length} of ${count} deliveries came: ${received.length} in all`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with this status and an empty body. */
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_received, response) => {
    response.writeHead(status, headers).end()
  }
