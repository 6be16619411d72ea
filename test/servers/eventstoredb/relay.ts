import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP relay on the loopback interface, which can break connections without involving the server. */
export class Relay {
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  /** Port for clients; the same after each start. */
  get port(): number {
    return this.#port
  }

  async start(target: number): Promise<void> {
    const server = createServer((inner) => this.#join(inner, connect(target, '127.0.0.1')))
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** Breaks every connection, as a pulled cable or a killed server would. */
  drop(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
    this.#sockets.clear()
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.drop()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  #join(client: Socket, server: Socket): void {
    const ends = [client, server] as const
    for (const socket of ends) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        for (const each of ends) each.destroy()
      })
    }
    client.pipe(server).pipe(client)
  }
}
