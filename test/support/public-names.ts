import { hostedSite } from '../api/pages-host/support.ts'
import { ok } from './client.ts'
import { askHost, type HostAnswer } from './hosts.ts'
import { publishText } from './servers/name-server.ts'
import type { Tenant, TestService } from './service.ts'

/** Settings of a service behind a proxy, at names that everybody can reach. */
export const BEHIND_A_PROXY = {
  MILLRACE_BEHIND_PROXY: '1',
  MILLRACE_SDK_URL: 'https://sdk.millrace.example',
  MILLRACE_PUBLIC_URL: 'https://files.millrace.example',
  MILLRACE_API_URL: 'https://api.millrace.example',
  MILLRACE_MCP_URL: 'https://agents.millrace.example',
}

/** Requests a domain, proves it, and connects it. */
export const connect = async ({ api, workspaceId }: Tenant, name: string): Promise<number> => {
  const { id, proof } = ok(await api.post(`/workspaces/${workspaceId}/domains`, { domain: { name } }))
  publishText(proof.name, proof.value)
  ok(await api.post(`/domains/${id}/verify`))
  return Number(id)
}

/** Asks a service for a path of a host as a proxy with TLS in front of it does. */
export const throughProxy = (
  { publicUrl }: Pick<TestService, 'publicUrl'>,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HostAnswer> =>
  askHost(publicUrl, 'proxy.internal', path, {
    headers: { 'x-forwarded-host': host, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7', ...headers },
  })

/** A workspace behind a proxy with a name of its own. */
export const publicSite = async (service: TestService, name: string, given?: Tenant) => {
  const site = await hostedSite(service, given)
  const domainId = await connect(site.tenant, name)
  return { ...site, domainId, name, at: (path: string, host = name) => throughProxy(service, host, path) }
}
