import { Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 3000

/** Creates a resolver. @param nameServer address and port of the name server that is asked; default: those of the system */
export const resolverAsking = (nameServer: string | undefined): Resolver => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (nameServer !== undefined) resolver.setServers([nameServer])
  return resolver
}
