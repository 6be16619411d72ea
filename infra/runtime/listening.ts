import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerWith } from './odd-requests.ts'

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

/** Where to listen. */
export interface Address {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** The setting that the port is from. */
  readonly setting: string
}

const said = (error: NodeJS.ErrnoException, { host, port, setting }: Address): Error =>
  error.code === 'EADDRINUSE'
    ? new Error(`Port ${port} of ${host} is in use by another program. Give another one by ${setting}.`, {
        cause: error,
      })
    : error

const bind = (server: Server, address: Address): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(said(error, address)))
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

/** Listens at an address. @throws {Error} when it is taken, with the setting that says otherwise */
export const listen = async (answer: RequestListener, address: Address): Promise<Listening> => {
  const server = createServer({ requireHostHeader: false })
  answerWith(server, answer)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const url = await bind(server, address)
  return { url, drain: () => drain(server) }
}
