import type { Loader } from '../resources/view-types.ts'

const HTTP_PORT = 80

/**
 * Names that only this machine answers to are never served over TLS: its listener itself serves them, at its own port. All
 * others are served by what stands in front of it and speaks TLS, at the port that is usual for that.
 */
const originAt = (host: string, port: number): string => {
  if (host !== 'localhost' && !host.endsWith('.localhost')) return `https://${host}`
  return port === 0 || port === HTTP_PORT ? `http://${host}` : `http://${host}:${port}`
}

/**
 * Scheme, host and port under which pages of a workspace are reached: the domain that is asked for, or else the first that the
 * workspace has; `undefined` when it has none.
 */
export const originOf = async (
  load: Loader,
  workspaceId: number,
  domainId?: number | null,
): Promise<string | undefined> => {
  const asked = await load.one('domain', domainId)
  const domain = asked ?? (await load.where('domain', 'workspace_id', workspaceId))[0]
  return domain && originAt(String(domain.name), load.listenerPort)
}
