import { userByAddress } from '../../domain/account/public.ts'
import { cleanAddress } from '../../domain/kernel/values/mailbox.ts'
import type { HostAnswer } from './hosts.ts'
import { fieldsIn, type MemberBrowser, memberBrowser } from './member.ts'
import type { TestService } from './service.ts'

/** A password that people in tests have. */
export const PASSWORD = 'a long enough password'

/** Browser of a user: it keeps cookies as browsers do, and follows nothing by itself. */
export interface AccountBrowser extends Omit<MemberBrowser, 'enter'> {
  /** Opens a link, and presses the button of its page. @returns the answer to the button */
  enter(link: string, fields?: Readonly<Record<string, string>>): Promise<HostAnswer>
  signIn(address: string, password: string, more?: Readonly<Record<string, string>>): Promise<HostAnswer>
  /** Whether somebody is signed in. */
  isIn(): Promise<boolean>
}

/** Opens a browser on the listener of the API. @param host as the browser names it; default: as the service is configured */
export const accountBrowser = (service: Pick<TestService, 'url'>, host = new URL(service.url).host): AccountBrowser => {
  const browser = memberBrowser({ publicUrl: service.url }, host)
  return {
    ...browser,
    async enter(link, fields = {}) {
      const { headers } = await browser.get(new URL(link).pathname)
      const page = await browser.get(String(headers.location))
      return browser.post('/in', { ...fieldsIn(page.text, '/in'), ...fields })
    },
    signIn: (address, password, more = {}) => browser.post('/sign-in', { address, password, ...more }),
    isIn: async () => (await browser.get('/account')).status === 200,
  }
}

let people = 0

/** A user of a new team. */
export interface Person {
  readonly userId: number
  readonly address: string
}

/** Makes a user, the owner of a new team. */
export const newPerson = async (
  service: TestService,
  address = `Person${++people}.${process.pid}@Example.com`,
): Promise<Person> => {
  const { accounts, stores } = service.background
  await accounts.foundTeam({
    name: `Team ${people}`,
    owner: { email: cleanAddress(address), firstName: 'Paula', lastName: 'Person' },
  })
  const user = await userByAddress(address, stores.readModels.live)
  return { userId: user!.id, address }
}

/** Returns a link of a user, as the operator has it. */
export const linkOf = async (
  service: TestService,
  { userId }: Person,
  purpose: 'first' | 'reset' = 'first',
): Promise<string> => service.url + (await service.background.userLinks.issue(userId, purpose))

/** Signs a user in, who then has a password. */
export const withPassword = async (service: TestService, person: Person): Promise<AccountBrowser> => {
  const browser = accountBrowser(service)
  await browser.enter(await linkOf(service, person))
  const { status } = await browser.submit('/account/password', '/account/password', { password: PASSWORD })
  if (status !== 303) throw new Error(`setting the password was answered with ${status}`)
  return browser
}
