import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a port may be taken by others. */
const PORT_MS = 10_000

/** A connection to a server that can be cut and mended. */
export interface TcpProxy {
  readonly port: number
  /** Breaks every connection and accepts no new ones. */
  cut(): Promise<void>
  /** Holds back all data, so that each side believes the other is slow. */
  stall(): void
  /** Forwards the data that was held back. */
  resume(): void
  /** Accepts connections again, to this port. */
  mend(targetPort: number): Promise<void>
}

/** Opens a proxy on loopback to a port of this machine. */
export const openTcpProxy = async (targetPort: number): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  }
  let target = targetPort
  let isStalled = false
  const server: Server = createServer((client) => {
    const upstream = keep(connect(target, '127.0.0.1'))
    if (isStalled) for (const socket of [client, upstream]) setImmediate(() => isStalled && socket.pause())
    keep(client).pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve((server.address() as { port: number }).port)
      })
    })
  const port = await listen(0)
  return {
    port,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    async mend(targetPort) {
      target = targetPort
      // A connection of another suite may have been given the port as its own meanwhile.
      for (const until = Date.now() + PORT_MS; ; await sleep(50)) {
        try {
          await listen(port)
          return
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > until) throw error
        }
      }
    },
  }
}
