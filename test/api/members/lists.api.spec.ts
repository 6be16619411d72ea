import { expect } from 'chai'
import { routesOf } from '../../../api/members/app.ts'
import { AT_ONCE } from '../../../api/members/communities/mentionable.ts'
import { ok } from '../../support/client.ts'
import { textsBelow } from '../../support/import-graph.ts'
import { signedIn } from '../../support/member.ts'
import { memberCommunity } from '../../support/member-communities.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { communityLists } from './lists/communities.ts'
import { HIDDEN, type Stage, times } from './lists/list.ts'
import { otherLists } from './lists/others.ts'

const LISTS = { ...communityLists, ...otherLists }

/** Pages of the members' side that show no list of records. */
const WITHOUT_LISTS = [
  ...['members', 'members/sign-in', 'members/sign-in/sent', 'members/sign-out', 'members/signed-out'],
  ...['members/in', 'members/in/[\\w-]{1,2500}', 'members/read/[\\w-]{1,2500}'],
  ...['members/lessons/{id}/complete', 'members/lessons/{id}/undo', 'members/orders/{id}/cancel'],
  ...['members/communities/{id}/leave', 'members/communities/{id}/mail'],
  ...['posts', 'comments'].flatMap((kind) => [`members/${kind}/{id}/delete`, `members/${kind}/{id}/report`]),
]

/** Limits of queries none of whose records is hidden from who sees the page. */
const NOTHING_HIDDEN = ['members/communities/videos.ts MOST_VIDEOS']

/** Limits that callers give. */
const GIVEN = ['pages/blog/listing.ts number']

const pathOf = ({ source }: RegExp): string =>
  source
    .replace(/^\^\\\/|\$$/g, '')
    .replaceAll('\\/', '/')
    .replaceAll('(\\d{1,15})', '{id}')
    .replaceAll(/\((\[[^)]+)\)/g, '$1')

/** Limits of more than one record in the source of what members see. */
const limitsInSource = (): ReadonlySet<string> => {
  const files = [...textsBelow(['api'])].filter(([file]) => /^api\/(?:members|pages\/blog|mail\/topics)/.test(file))
  const limits = files.flatMap(([file, text]) =>
    [...text.matchAll(/\blimit: (?!1\b)(\w+)/g)].map(([, name]) => `${file.slice('api/'.length)} ${name}`),
  )
  return new Set(limits)
}

describe('lists that members see', () => {
  let service: TestService
  let tenant: Tenant
  let stage: Stage
  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    const contact = async (name: string, first_name: string): Promise<number> =>
      ok(
        await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
          contact: { email_address: `${name}@example.com`, first_name },
        }),
      ).id
    const crowd = await times(3 * AT_ONCE, (n) => contact(`wanda.${n}`, HIDDEN))
    const id = await contact('ada', 'Ada')
    await service.caughtUp()
    const ada = { id, browser: await signedIn(service, tenant, 'ada@example.com') }
    const community = async (fields: object = {}, inSpace: object = {}) => {
      const on = await memberCommunity(service, tenant, fields, inSpace)
      ok(await on.make.join(on.community, ada.id))
      return on
    }
    stage = { service, tenant, ada, crowd, community }
  })

  it('are all held here, and a new page or limit is asked for', () => {
    const entries = Object.values(LISTS)
    const pages = new Set(routesOf(0).flatMap(({ show, path }) => (show ? pathOf(path) : [])))
    expect(pages).to.deep.equal(new Set([...entries.flatMap((one) => one.pages), ...WITHOUT_LISTS]))
    const limits = new Set([...entries.flatMap((one) => one.limits), ...NOTHING_HIDDEN, ...GIVEN])
    expect(limitsInSource()).to.deep.equal(limits)
  })

  for (const [name, { make }] of Object.entries(LISTS))
    it(`${name}: what is seen shows behind three times as many hidden ones as the limit`, async () => {
      const { page, text, hidden, browser = stage.ada.browser } = await make(stage)
      await waitUntilSettled(service)
      const shown = (await browser.get(page)).text
      if (typeof text === 'string') expect(shown).to.contain(text)
      else expect(shown).to.match(text)
      if (typeof hidden === 'string') expect(shown).not.to.contain(hidden)
      else if (hidden) expect(shown).not.to.match(hidden)
    })
})
