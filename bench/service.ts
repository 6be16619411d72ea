import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Running, serve } from './child.ts'
import { millraceFile, ROOT } from './places.ts'

export interface ServiceReady {
  /** Scheme, host and port. */
  readonly origin: string
  /** Scheme, host and port of the listener that pages call. */
  readonly sdk: string
  /** Scheme, host and port of the listener that serves hosted pages. */
  readonly public: string
  /** Scheme, host and port at which browsers find the pages of the only workspace. */
  readonly pages: string
  readonly workspace_id: number | null
  readonly api_key: string | null
  /** Link by which the first owner signs in; earlier versions print none. */
  readonly sign_in?: string | null
}

export interface ServiceOptions {
  readonly profile?: string | undefined
  /** Whether it has a demo workspace: an empty one, or one with the demo shop and its funnel. Default: none. */
  readonly demo?: boolean | 'furnished'
  /** Directory of the built package. Default: this one. */
  readonly root?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Node.js flags in the `npm start` of a package. */
export const flagsOf = (root: string): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return (scripts.start as string).split(' ').filter((word) => word.startsWith('--'))
}

/**
 * Starts the service as users do, on this data directory, but by default without the demo shop. The rate limit is counted but out of reach,
 * and the log goes to a file in the directory above.
 */
export const startService = async (
  data: string,
  { profile, demo = false, root = ROOT, env = {} }: ServiceOptions = {},
): Promise<Running<ServiceReady>> => {
  const service = await serve<Omit<ServiceReady, 'origin'> & { readonly api: string }>(millraceFile(root), {
    args: ['start', '--port', '0', '--data', data, '--json', ...(demo ? [] : ['--no-demo'])],
    env: {
      ...env,
      MILLRACE_RATE_LIMIT: '1000000000',
      // Earlier versions know neither setting.
      ...(root === ROOT && { MILLRACE_PUBLIC_RATE_LIMIT: '0', ...(demo === true && { MILLRACE_DEMO: 'empty' }) }),
    },
    errors: path.join(path.dirname(data), 'service.log'),
    profile,
    flags: flagsOf(root),
  })
  return { ...service, ready: { ...service.ready, origin: new URL(service.ready.api).origin } }
}

/** Calls an operation of the API in the demo workspace. @throws {Error} when it is refused */
export type ApiCall = <T>(method: string, path: string, body?: object) => Promise<T>

/** Returns the function that calls the API of a service. Paths begin with a slash, or are below the workspace. */
export const apiOf =
  ({ origin, workspace_id, api_key }: ServiceReady): ApiCall =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const address = `${origin}/api/v2${path.startsWith('/') ? path : `/workspaces/${workspace_id}/${path}`}`
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' }
    const response = await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

/** Page of a live funnel that its author hosts. */
export interface ExternalPage {
  readonly token: string
  readonly url: string
}

/** Makes a live funnel with a page at each of these addresses. */
export const liveFunnel = async (call: ApiCall, urls: readonly string[]): Promise<readonly ExternalPage[]> => {
  const { id } = await call<{ readonly id: number }>('POST', 'funnels', { funnel: { name: 'Visited' } })
  const pages: ExternalPage[] = []
  for (const url of urls) {
    const page = { external_url: url, funnel: { funnel_id: id } }
    const { sdk } = await call<{ readonly sdk: { readonly token: string } }>('POST', 'pages/external', { page })
    pages.push({ token: sdk.token, url })
  }
  await call('PUT', `/funnels/${id}`, { funnel: { live_mode: true } })
  return pages
}
