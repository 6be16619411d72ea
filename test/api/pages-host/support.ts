import type { RequestOptions } from 'node:http'
import { freePort } from '../../support/free-port.ts'
import { askHost, type HostAnswer } from '../../support/hosts.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { builder, createdBody } from '../../support/traffic/funnels.ts'

/** Markup of a page with one headline. */
export const saying = (text: string, more = ''): string =>
  `<section><row><column><headline>${text}</headline>${more}</column></row></section>`

/** A workspace with its host. */
export interface HostedSite extends ReturnType<typeof builder> {
  readonly tenant: Tenant
  readonly service: TestService
  readonly host: string
  get(path: string, options?: RequestOptions): Promise<HostAnswer>
  /** Creates a standalone page. */
  standalone(path: string, fields?: object): Promise<{ readonly id: number; readonly public_id: string }>
  /** Creates a page at the end of a funnel. */
  step(funnelId: number, path: string, fields?: object): Promise<{ readonly id: number; readonly url: string }>
}

/** Starts a service whose hosted pages a browser opens. @returns a site, and its origin */
export const browsedSite = async () => {
  const port = await freePort()
  const site = await hostedSite(await startTestService({ MILLRACE_PUBLIC_PORT: String(port) }))
  return { site, origin: `http://${site.host}:${port}` }
}

export const hostedSite = async (service: TestService, given?: Tenant): Promise<HostedSite> => {
  const tenant = given ?? (await service.tenant())
  const [domain] = createdBody(await tenant.api.get(`/workspaces/${tenant.workspaceId}/domains`))
  const build = builder(tenant)
  return {
    ...build,
    tenant,
    service,
    host: domain.name,
    get: (path, options) => askHost(service.publicUrl, domain.name, path, options),
    standalone: (path, fields = {}) => build.page({ name: 'Page', current_path: path, ...fields }),
    step: (funnel_id, path, fields = {}) =>
      build.page({ name: 'Step', current_path: path, funnel: { funnel_id }, ...fields }),
  }
}
