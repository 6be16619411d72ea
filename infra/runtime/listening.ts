import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { countedAs } from '../../api/http/failed-attempts.ts'
import { Quota, type QuotaBounds } from '../../api/http/quota.ts'
import { answerWith } from './odd-requests.ts'

/** How long running requests may take after the process was asked to stop. */
const DRAIN_MS = 10_000
/** Longer than a proxy in front keeps an idle connection, so that the server never closes one that the proxy is using. */
const KEEP_ALIVE_MS = 65_000

/** Longest time for the headers of a request, also of the first one of a connection. */
const HEADERS_MS = 15_000
/** Interval between two searches for requests that take too long to arrive. */
const CHECK_EVERY_MS = 5000

/** Directory of what the build makes of `sdk/`: scripts for browsers. */
export const SCRIPTS = path.join(import.meta.dirname, '../../sdk')

/** An HTTP server that listens at an address. */
export interface Listening {
  /** Its URL, for people and programs on this machine. */
  readonly url: string
  /** Takes no new requests, and lets running ones finish. */
  drain(): Promise<void>
}

/** A server that may get another answer to requests while it listens. */
export interface Port extends Listening {
  /** Has requests answered by this from now on. */
  serve(answer: RequestListener): void
}

/** Address to listen at. */
export interface Address {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Name of the setting that gives the port. */
  readonly setting: string
}

/** Returns the error to show for a failure to listen. */
export const listenError = (error: NodeJS.ErrnoException, { host, port, setting }: Address): Error =>
  error.code === 'EADDRINUSE'
    ? new Error(`Port ${port} of ${host} is in use by another program. Give another one by ${setting}.`, {
        cause: error,
      })
    : error

const bind = (server: Server, address: Address): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, address)))
    server.listen(address.port, address.host, () => {
      const { family, address: name, port } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${name}]` : name}:${port}`)
    })
  })

const drain = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
}

/** Bounds of the connections of a listener. */
export interface ConnectionBounds extends QuotaBounds {
  /** Longest time for a request to arrive, in milliseconds. */
  readonly requestMs: number
}

/** Returns bounds for a listener behind so many proxies. The connections of a proxy are those of many addresses. */
export const connectionBounds = (bounds: ConnectionBounds, proxies: number): ConnectionBounds =>
  proxies === 0 ? bounds : { ...bounds, each: bounds.total }

/** Closes connections beyond the bounds as soon as they are made. Idle ones make room for new ones first. */
const boundConnections = (server: Server, bounds: QuotaBounds): void => {
  const open = new Quota<string>(bounds)
  server.on('connection', (socket) => {
    const address = countedAs(socket.remoteAddress ?? '')
    const exceeded = open.take(address)
    if (!exceeded) {
      socket.once('close', () => open.give(address))
      return
    }
    socket.destroy()
    if (exceeded === 'total') server.closeIdleConnections()
  })
}

/** Listens at an address. @throws {Error} when it is taken, naming the setting that changes it */
export const openPort = async (answer: RequestListener, address: Address, bounds: ConnectionBounds): Promise<Port> => {
  let present = answer
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: HEADERS_MS,
    requestTimeout: bounds.requestMs,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  })
  boundConnections(server, bounds)
  answerWith(server, (request, response) => present(request, response))
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const url = await bind(server, address)
  return {
    url,
    drain: () => drain(server),
    serve(next) {
      present = next
    },
  }
}
