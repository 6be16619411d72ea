import { randomBytes } from 'node:crypto'
import { ok } from './client.ts'
import type { Tenant, TestService } from './service.ts'

/** Random text as browsers make it for ids. */
export const random = (): string => randomBytes(17).toString('base64url').slice(0, 22)

/** A page of a funnel that its author hosts. */
export interface SdkPage {
  readonly id: number
  readonly token: string
  readonly url: string
  readonly origin: string
}

/** A funnel with pages on other origins, and the calls that they make. */
export interface SdkFunnel {
  readonly id: number
  readonly pages: readonly SdkPage[]
}

const pageAt = async ({ api, workspaceId }: Tenant, url: string, funnel: object | undefined): Promise<SdkPage> => {
  const page = { external_url: url, ...(funnel && { funnel }) }
  const made = ok(await api.post(`/workspaces/${workspaceId}/pages/external`, { page }))
  return { id: made.id, token: made.sdk.token, url, origin: new URL(url).origin }
}

/** Makes a page of no funnel. */
export const standalonePage = (tenant: Tenant, url: string): Promise<SdkPage> => pageAt(tenant, url, undefined)

/** Makes a funnel with a step at each of these addresses. */
export const sdkFunnel = async (tenant: Tenant, urls: readonly string[], live = true): Promise<SdkFunnel> => {
  const { api, workspaceId } = tenant
  const { id } = ok(await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: `Funnel ${random()}` } }))
  const pages: SdkPage[] = []
  for (const url of urls) pages.push(await pageAt(tenant, url, { funnel_id: id }))
  if (live) ok(await api.put(`/funnels/${id}`, { funnel: { live_mode: true } }))
  return { id, pages }
}

/** Answer to a call. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly body: any
  readonly headers: Headers
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

/** Sends a call as a page does. */
export const callOf =
  ({ sdkUrl }: Pick<TestService, 'sdkUrl'>) =>
  async (
    path: string,
    page: SdkPage,
    body: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const response = await fetch(sdkUrl + path, {
      method: 'POST',
      headers: { origin: page.origin, 'content-type': 'text/plain', 'user-agent': CHROME, ...headers },
      body: JSON.stringify({ token: page.token, url: page.url, ...body }),
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

/** Returns a view, as the browser reports it. */
export const viewed = (more: object = {}) => ({
  ...{ id: random(), load: random(), number: 1, age_ms: 0, search: '', referrer: '' },
  ...more,
})

/** Returns the body of a visit with consent. */
export const visit = (more: object = {}, consent = true) => ({
  consent,
  ...(consent && { visitor: random() }),
  visit: viewed(more),
})

/** Sends a form as the navigation of a browser does, without following redirects. */
export const submitOf =
  ({ sdkUrl }: Pick<TestService, 'sdkUrl'>) =>
  async (
    page: SdkPage,
    fields: Readonly<Record<string, string | undefined>>,
    data: readonly (readonly [string, unknown])[],
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const all = { token: page.token, url: page.url, data: JSON.stringify(data), ...fields }
    const sent = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined)
    const response = await fetch(`${sdkUrl}/submit`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: page.origin, 'user-agent': CHROME, ...headers },
      body: new URLSearchParams(sent),
    })
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      text: await response.text(),
    }
  }
