import type { Loader } from '../resources/view-types.ts'

const HTTP_PORT = 80

/**
 * Returns the origin of a host. Names below localhost are served by this machine's own public listener, at its port and without TLS. All other hosts are
 * served by a proxy in front of it, with TLS at the standard port.
 */
const originAt = (host: string, port: number): string => {
  if (host !== 'localhost' && !host.endsWith('.localhost')) return `https://${host}`
  return port === 0 || port === HTTP_PORT ? `http://${host}` : `http://${host}:${port}`
}

/**
 * Returns the scheme, host and port of pages of a workspace, for the given domain or else for the first domain of the workspace; `undefined` if it has
 * none.
 */
export const originOf = async (
  load: Loader,
  workspaceId: number,
  domainId?: number | null,
): Promise<string | undefined> => {
  const chosen = await load.one('domain', domainId)
  const domain = chosen ?? (await load.where('domain', 'workspace_id', workspaceId))[0]
  return domain && originAt(String(domain.name), load.listenerPort)
}

/** Returns the public address of a path of a workspace, escaped as browsers send it; the path itself while the workspace has no domain. */
export const addressAt = async (load: Loader, workspaceId: number, path: string): Promise<string> => {
  const origin = await originOf(load, workspaceId)
  return origin === undefined ? path : new URL(path, origin).href
}
