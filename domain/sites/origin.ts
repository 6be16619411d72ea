import type { Loader } from '../kernel/resource.ts'

/** Names that only this machine answers to are never served over TLS. */
const schemeOf = (host: string): string => (host === 'localhost' || host.endsWith('.localhost') ? 'http' : 'https')

/**
 * Scheme and host under which pages of a workspace are reached: the domain that is asked for, or else the first that the
 * workspace has; `undefined` when it has none.
 */
export const originOf = async (
  load: Loader,
  workspaceId: number,
  domainId?: number | null,
): Promise<string | undefined> => {
  const asked = await load.one('domain', domainId)
  const domain = asked ?? (await load.where('domain', 'workspace_id', workspaceId))[0]
  return domain && `${schemeOf(String(domain.name))}://${String(domain.name)}`
}
