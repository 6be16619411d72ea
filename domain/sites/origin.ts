import type { Document } from '../kernel/ports/read-models.ts'
import type { Loader } from '../resources/view-types.ts'
import { isOfMachine, MACHINE } from './host.ts'

const HTTP_PORT = 80

/**
 * Returns the origin of a host. Names below localhost are served by this machine's own public listener, at its port and without TLS. All other hosts are
 * served by a proxy in front of it, with TLS at the standard port.
 */
const originAt = (host: string, port: number): string => {
  if (!isOfMachine(host)) return `https://${host}`
  return port === 0 || port === HTTP_PORT ? `http://${host}` : `http://${host}:${port}`
}

const nameOf = ({ name }: Document): string => String(name)

/** Look-ups that tell where a workspace answers. */
type Looking = Pick<Loader, 'one' | 'where' | 'listenerPort'>

/**
 * Returns the connected domains under which something of a workspace is served, that by which it is addressed first. What has a domain of its own is served
 * there alone. All else is served at every one, and addressed by the main one of the workspace: the one that it has chosen, or else the oldest that
 * everybody can reach, or else the one that it began with, which means the machine of whoever reads it.
 */
export const domainsOf = async (
  load: Pick<Looking, 'one' | 'where'>,
  workspaceId: number,
  ownDomainId?: number | null,
): Promise<readonly Document[]> => {
  const [all, site] = await Promise.all([
    load.where('domain', 'workspace_id', workspaceId),
    load.one('site', workspaceId),
  ])
  const connected = all.filter((one) => one.connected === true)
  const own = connected.find(({ id }) => id === ownDomainId)
  if (own) return [own]
  const rankOf = (one: Document): number => {
    if (one.id === site?.main_domain_id) return 0
    return isOfMachine(nameOf(one)) ? 2 : 1
  }
  return connected.sort((one, other) => rankOf(one) - rankOf(other))
}

/**
 * Returns scheme, host and port of each name under which something of a workspace is served, that by which it is addressed first. Browsers that do not
 * resolve names below localhost reach them by the name of the machine itself, which comes last.
 */
export const originsOf = async (
  load: Looking,
  workspaceId: number,
  ownDomainId?: number | null,
): Promise<readonly string[]> => {
  const names = (await domainsOf(load, workspaceId, ownDomainId)).map(nameOf)
  return [...names, ...(names.some(isOfMachine) ? [MACHINE] : [])].map((name) => originAt(name, load.listenerPort))
}

/** Returns scheme, host and port by which something of a workspace is addressed; `undefined` while it has no domain. */
export const originOf = async (
  load: Looking,
  workspaceId: number,
  ownDomainId?: number | null,
): Promise<string | undefined> => (await originsOf(load, workspaceId, ownDomainId))[0]

/** Returns the public address of a path of a workspace, escaped as browsers send it; the path itself while the workspace has no domain. */
export const addressAt = async (load: Loader, workspaceId: number, path: string): Promise<string> => {
  const origin = await originOf(load, workspaceId)
  return origin === undefined ? path : new URL(path, origin).href
}

/** Returns the address of a hosted page for a visitor who is at another one: at the same name, if it is served there. */
export const addressFrom = (current: string, url: string, origins: readonly string[]): string => {
  const origin = URL.canParse(current) ? new URL(current).origin : undefined
  return origin !== undefined && origins.includes(origin) ? origin + url.slice(new URL(url).origin.length) : url
}
