import { connect, createServer, type Socket } from 'node:net'

/** A proxy between a process and a server that can be disturbed and mended. Its port stays the same. */
export interface FaultProxy {
  readonly port: number
  /** Directs new connections to another port, when the server has restarted there. */
  leadTo(port: number): void
  /** Breaks every connection, and each new one at once. */
  cut(): void
  /** Keeps connections open but holds back all data until it is mended. */
  stall(): void
  /** Delays all data by a number of milliseconds. */
  slow(lateMs: number): void
  /** Transmits everything again. */
  mend(): void
  close(): Promise<void>
}

type Manner = 'well' | 'cut' | 'stalled' | 'slow'

/** Opens a proxy over loopback to a port of this machine. */
export const openFaultProxy = async (serverPort: number): Promise<FaultProxy> => {
  const sockets = new Set<Socket>()
  let target = serverPort
  let manner: Manner = 'well'
  let lateMs = 0

  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    if (manner === 'stalled') socket.pause()
  }
  const carry = (from: Socket, to: Socket): void => {
    let late = 0
    from.on('data', (piece: Buffer) => {
      // Data behind delayed data is delayed as well, since a connection preserves the order.
      if (manner === 'slow' || late > 0) {
        late++
        setTimeout(() => {
          late--
          if (to.writable) to.write(piece)
        }, lateMs)
      } else if (!to.write(piece)) {
        from.pause()
        to.once('drain', () => manner !== 'stalled' && from.resume())
      }
    })
    from.on('close', () => to.destroy())
  }
  const server = createServer((client) => {
    if (manner === 'cut') {
      client.resetAndDestroy()
      return
    }
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) keep(socket)
    carry(client, upstream)
    carry(upstream, client)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('a way listens at no port')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    leadTo: (port) => {
      target = port
    },
    cut: () => {
      manner = 'cut'
      breakAll()
    },
    stall: () => {
      manner = 'stalled'
      for (const socket of sockets) socket.pause()
    },
    slow: (late) => {
      manner = 'slow'
      lateMs = late
    },
    mend: () => {
      manner = 'well'
      for (const socket of sockets) socket.resume()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        breakAll()
      }),
  }
}
