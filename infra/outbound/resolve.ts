import { promises as dns, Resolver } from 'node:dns'

/** Returns every address of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Creates a resolver that asks the name servers directly. `dns.lookup` would also answer from this machine's hosts file, and
 * a slow name server would block a thread of the pool that the stores write with.
 */
export const resolvePublic = (): Resolve => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const ask = (method: 'resolve4' | 'resolve6', hostname: string): Promise<string[]> =>
    new Promise((resolve) => {
      resolver[method](hostname, (error, addresses) => resolve(error ? [] : addresses))
    })
  return async (hostname) => {
    const [four, six] = await Promise.all([ask('resolve4', hostname), ask('resolve6', hostname)])
    return [...four, ...six]
  }
}

/** Resolves names as this machine does, hosts file included; for targets of its own network. */
export const resolveLocally: Resolve = async (hostname) =>
  (await dns.lookup(hostname, { all: true }).catch(() => [])).map(({ address }) => address)
