import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Ports below those that systems give to outgoing connections: a suite beside this one takes none of them by chance. */
const FIRST = 10_000
const PAST = 32_000

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Returns a port of this machine that nothing listens on, and that no outgoing connection is given. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(FIRST, PAST)
  return (await isFree(port)) ? port : freePort()
}
