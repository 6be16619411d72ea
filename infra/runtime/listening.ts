import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How long requests under way may take once the process has been asked to stop. */
const DRAIN_MS = 10_000
/** Longer than a proxy in front keeps an idle connection, so that it is never the server that cuts one off in use. */
const KEEP_ALIVE_MS = 65_000

/** Something that answers HTTP at an address. */
export interface Listening {
  /** Where it listens, for people and programs on this machine. */
  readonly url: string
  /** Takes no new requests and lets those under way finish. */
  drain(): Promise<void>
}

const bind = (server: Server, host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const { family, address, port: actual } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`)
    })
  })

const drain = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
}

/** Listens at a port of an address; 0: any free one. @throws {Error} when it is taken */
export const listen = async (answer: RequestListener, host: string, port: number): Promise<Listening> => {
  const server = createServer(answer)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const url = await bind(server, host, port)
  return { url, drain: () => drain(server) }
}
