import type { Hosts } from '../../domain/kernel/ports/hosts.ts'
import { resolverAsking } from './name-server.ts'

const hostOf = (url: string | undefined): readonly string[] =>
  url !== undefined && URL.canParse(url) ? [new URL(url).hostname] : []

interface HostsOptions {
  /** URLs at which listeners of the service are reached. */
  readonly own: readonly (string | undefined)[]
  /** Address and port of the name server that is asked; default: those of the system. */
  readonly nameServer: string | undefined
}

/** Creates the look-up of hosts. */
export const hostsOf = ({ own, nameServer }: HostsOptions): Hosts => {
  const names = own.flatMap(hostOf)
  const resolver = resolverAsking(nameServer)
  return {
    isOwn: (name) => names.some((one) => name === one || name.endsWith(`.${one}`)),
    async texts(name) {
      // What cannot be looked up is not published.
      const records = await resolver.resolveTxt(name).catch(() => [])
      return records.map((parts) => parts.join(''))
    },
  }
}
