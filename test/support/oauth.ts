import { expect } from 'chai'
import { newSession } from '../../api/accounts/signed-in.ts'
import { credentials } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { ownerOf } from './agent-token.ts'
import type { Tenant, TestService } from './service.ts'

/** Cookie as a browser keeps it. */
interface Cookie {
  readonly name: string
  readonly path: string
  readonly value: string
}

/** Browser without scripts: cookies by path, and no redirect followed of itself. */
export class Browser {
  readonly origin: string
  #cookies: readonly Cookie[] = []

  constructor(origin: string) {
    this.origin = origin
  }

  set(name: string, value: string, path = '/'): void {
    this.#cookies = [...this.#cookies.filter((one) => one.name !== name || one.path !== path), { name, path, value }]
  }

  cookies(): readonly Cookie[] {
    return this.#cookies
  }

  forget(): void {
    this.#cookies = []
  }

  async fetch(target: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(target, this.origin)
    const cookie = this.#cookies
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = { ...init.headers, ...(cookie && { cookie }) }
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/'
      const isGone = value === '' || /expires=Thu, 01 Jan 1970/i.test(line) || /max-age=0/i.test(line)
      this.#cookies = this.#cookies.filter((one) => one.name !== name || one.path !== path)
      if (!isGone) this.set(name, value, path)
    }
    return answer
  }

  /** Opens an address, and goes on as long as the redirects are to this host. */
  async open(target: string): Promise<{ readonly answer: Response; readonly path: string }> {
    for (let path = target, left = 10; left > 0; left--) {
      const answer = await this.fetch(path)
      const to = answer.headers.get('location')
      if (answer.status !== 303 || to === null || new URL(to, this.origin).origin !== this.origin)
        return { answer, path }
      path = to
    }
    throw new Error('there are too many redirects')
  }
}

/** Person who is signed in. */
export interface Person {
  readonly browser: Browser
  readonly userId: number
  readonly tenant: Tenant
}

/** Returns the issuer of a service: where people sign in. */
export const issuerOf = (service: TestService): string => `http://localhost:${new URL(service.url).port}`

/** Signs in somebody who has no credentials yet. @returns the secret that the browser keeps */
export const signIn = async ({ carryOut }: Tenant, userId: number): Promise<string> => {
  const { cookie, digest } = newSession(userId)
  await carryOut!(ask(credentials, userId, 'create', { user_id: userId }, { isNew: true }))
  await carryOut!(ask(credentials, userId, 'signIn', { digest, generation: 0, number: null }))
  return cookie
}

/** Signs in the owner of a new team. */
export const signedInPerson = async (service: TestService): Promise<Person> => {
  const tenant = await service.tenant()
  const userId = await ownerOf(service.background.stores.readModels.live, tenant.teamId)
  const cookie = await signIn(tenant, userId)
  const browser = new Browser(issuerOf(service))
  browser.set('mr_session', cookie)
  return { browser, userId, tenant }
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const attribute = (html: string, pattern: RegExp): string => {
  const found = pattern.exec(html)?.[1]
  if (found === undefined) throw new Error(`${pattern} is not in ${html}`)
  return unescaped(found)
}

/** Opens a link of a user, as the operator has it, and chooses a password where it asks for one. @returns the browser, in which the user is signed in */
export const enteredBy = async (origin: string, path: string): Promise<Browser> => {
  const browser = new Browser(origin)
  const { answer } = await browser.open(path)
  const token = attribute(await answer.text(), /name="form_token" value="([^"]*)"/)
  const body = new URLSearchParams({ form_token: token, password: 'a long enough password' })
  const { status } = await browser.fetch('/in', { method: 'POST', body })
  if (status !== 303) throw new Error(`the link was answered with ${status}`)
  return browser
}

/** Page on which a person decides. */
export interface ConsentPage {
  readonly path: string
  readonly html: string
  /** Sends the form. @returns the answer, after the redirects of this host */
  decide(decision: 'allow' | 'deny', workspaceId?: number): Promise<Response>
}

/** Opens an authorization request, up to the page on which the person decides. */
export const consentTo = async ({ browser }: Pick<Person, 'browser'>, request: string | URL): Promise<ConsentPage> => {
  const { answer, path } = await browser.open(String(request))
  const html = await answer.text()
  expect(answer.status, html).to.equal(200)
  const action = attribute(html, /<form method="post" action="([^"]*)"/)
  const token = attribute(html, /name="form_token" value="([^"]*)"/)
  const first = attribute(html, /<option value="(\d+)"/)
  return {
    path,
    html,
    async decide(decision, workspaceId = Number(first)) {
      const body = new URLSearchParams({ form_token: token, workspace_id: String(workspaceId), decision })
      const sent = await browser.fetch(action, { method: 'POST', body })
      const to = sent.headers.get('location')
      return to === null ? sent : (await browser.open(to)).answer
    },
  }
}

/** Returns the address of the application to which a page goes on. */
export const targetOf = (answer: Response): URL => {
  const [, target = ''] = /^0;url=(.*)$/.exec(answer.headers.get('refresh') ?? '') ?? []
  return new URL(target)
}

/** Allows a request. @returns the address that the browser goes on to */
export const allow = async (person: Pick<Person, 'browser'>, request: string | URL): Promise<URL> =>
  targetOf(await (await consentTo(person, request)).decide('allow'))
