import { once } from 'node:events'
import { createServer, request } from 'node:http'

/** A proxy in front of several processes. It sends each request to the next of them, so that no two in a row meet the same one. */
export interface Balancer {
  stop(): Promise<void>
}

/** Starts a balancer at a port of this machine. @param targets URLs of the processes */
export const startBalancer = async (port: number, targets: readonly string[]): Promise<Balancer> => {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const { hostname: host, port: to } = new URL(targets[turn++ % targets.length] ?? '')
    const { method, url: path, headers } = incoming
    const forwarded = request({ host, port: to, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
