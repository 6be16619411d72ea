import { destinationsIn } from './destinations.ts'
import { until } from './eventually.ts'
import { askHost, type HostAnswer } from './hosts.ts'
import { keptMails } from './owed-mails.ts'
import type { Tenant, TestService } from './service.ts'
import { createdBody } from './traffic/funnels.ts'

type Headers = Readonly<Record<string, string>>

/** Browser of a member: it keeps cookies as browsers do, and follows nothing by itself. */
export interface MemberBrowser {
  readonly host: string
  /** Cookies by their names. */
  readonly cookies: Map<string, string>
  get(path: string, headers?: Headers): Promise<HostAnswer>
  head(path: string): Promise<HostAnswer>
  /** Sends a form. */
  post(path: string, fields?: Readonly<Record<string, string>>, headers?: Headers): Promise<HostAnswer>
  /** Loads a page, fills its form for an action in, and sends it. */
  submit(page: string, action: string, fields?: Readonly<Record<string, string>>): Promise<HostAnswer>
  /** Signs in by the links of a mail. @returns the answer to the button */
  enter(link: string): Promise<HostAnswer>
}

const decoded = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

/** Returns the hidden fields of the form with an action. */
export const fieldsIn = (html: string, action: string): Record<string, string> => {
  const form = [...html.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(
    ([, to]) => decoded(to ?? '') === action,
  )
  if (!form) throw new Error(`there is no form for ${action} in:\n${html}`)
  const inputs = [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return Object.fromEntries(inputs.map(([, name, value]) => [name, decoded(value ?? '')]))
}

/** Returns the host of a workspace. */
export const hostOf = async ({ api, workspaceId }: Tenant): Promise<string> =>
  createdBody(await api.get(`/workspaces/${workspaceId}/domains`))[0].name

/** Opens a browser on the host of a workspace. */
export const memberBrowser = ({ publicUrl }: Pick<TestService, 'publicUrl'>, host: string): MemberBrowser => {
  const cookies = new Map<string, string>()
  const ask = async (path: string, method: string, more: { headers?: Headers; body?: string } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie !== '' && { cookie }), ...more.headers }
    const answer = await askHost(publicUrl, host, path, { ...more, method, headers })
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const get: MemberBrowser['get'] = (path, headers = {}) => ask(path, 'GET', { headers })
  const post: MemberBrowser['post'] = (path, fields = {}, headers = {}) =>
    ask(path, 'POST', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  const submit: MemberBrowser['submit'] = async (page, action, fields = {}) =>
    post(action, { ...fieldsIn((await get(page)).text, action), ...fields })
  return {
    ...{ host, cookies, get, post, submit },
    head: (path) => ask(path, 'HEAD'),
    async enter(link) {
      const { headers } = await get(new URL(link).pathname)
      return submit(String(headers.location), '/members/in')
    },
  }
}

/** Returns the links to sign in that were mailed to a contact, the newest last. */
export const signInLinks = async (
  service: TestService,
  tenant: Tenant,
  address: string,
): Promise<readonly string[]> => {
  const mails = await keptMails(service, tenant, 'sign_in')
  return mails
    .filter(({ to }) => to.address === address)
    .flatMap(({ html }) => destinationsIn(html).filter((url) => url.includes('/members/in/')))
}

/** Asks for a link, and returns it when it has come. */
export const askForLink = async (
  service: TestService,
  tenant: Tenant,
  address: string,
  to?: string,
): Promise<string> => {
  const browser = memberBrowser(service, await hostOf(tenant))
  const before = (await signInLinks(service, tenant, address)).length
  await browser.post('/members/sign-in', { address, ...(to !== undefined && { to }) })
  let links: readonly string[] = []
  await until(async () => {
    links = await signInLinks(service, tenant, address)
    return links.length > before
  }, `a link for ${address}`)
  return links.at(-1)!
}

/** Signs a contact in. */
export const signedIn = async (service: TestService, tenant: Tenant, address: string): Promise<MemberBrowser> => {
  const link = await askForLink(service, tenant, address)
  const browser = memberBrowser(service, await hostOf(tenant))
  const { status } = await browser.enter(link)
  if (status !== 303) throw new Error(`signing in was answered with ${status}`)
  return browser
}
