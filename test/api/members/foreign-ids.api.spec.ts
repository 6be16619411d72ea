import { expect } from 'chai'
import { communityRoutes } from '../../../api/members/communities/routes.ts'
import { courseRoutes } from '../../../api/members/courses/routes.ts'
import { orderRoutes } from '../../../api/members/orders/routes.ts'
import { idIn } from '../../support/foreign-ids.ts'
import type { HostAnswer } from '../../support/hosts.ts'
import { formToken, memberCommunity, type Person } from '../../support/member-communities.ts'
import { type TestService, testService } from '../../support/service.ts'
import { textsIn } from '../../support/texts-in.ts'

/** Kinds of the records that paths name. */
const KINDS: Readonly<Record<string, string>> = {
  communities: 'community',
  spaces: 'communities/space',
  posts: 'communities/spaces/post',
  comments: 'communities/spaces/posts/comment',
  courses: 'course',
  lessons: 'courses/lesson',
  orders: 'order',
  downloads: 'download',
}

const ID = '(\\d{1,15})'

const paths = [...communityRoutes, ...courseRoutes, ...orderRoutes].flatMap(({ path: pattern }) => {
  const path = pattern.source.replaceAll('\\/', '/').replace(/^\^|\$$/g, '')
  return path.includes(ID) ? [path] : []
})

describe("members' pages with the id of a record of another team", () => {
  let service: TestService
  let me: Person
  let stranger: Person
  let foreign: Readonly<Record<string, number>>
  let token: Readonly<Record<string, string>>
  let texts: readonly string[]
  before(async () => {
    service = await testService()
    const [mine, other] = [await service.tenant({ test: true }), await service.tenant({ test: true })]
    const [ours, theirs] = [await memberCommunity(service, mine), await memberCommunity(service, other)]
    me = await ours.member('insider')
    stranger = await theirs.member('outsider')
    const post = await theirs.write(stranger, 'A glaze that nobody else knows')
    const comment = await theirs.comment(stranger, post, 'Thinner than anywhere else')
    foreign = { communities: theirs.community, spaces: theirs.space, posts: post, comments: comment }
    for (const [name, kind] of Object.entries(KINDS)) foreign = { [name]: await idIn(other, kind), ...foreign }
    token = await formToken(me.browser)
    const { live } = service.background.stores.readModels
    const records = Object.entries(KINDS).map(([name, kind]) => live.get(kind, foreign[name]!))
    texts = [
      ...(await Promise.all(records)).flatMap(textsIn),
      'A glaze that nobody',
      'Thinner than anywhere',
      'outsider',
    ]
  })

  const filled = (path: string): string =>
    path.replace(/([a-z]+)\/\(\\d\{1,15\}\)/g, (_, name: string) => `${name}/${foreign[name]}`)

  /** Texts that every page may have. */
  const common = async (): Promise<string> => (await me.browser.get('/members')).text

  const expectNothing = async ({ text, status }: HostAnswer, says: string) => {
    const usual = await common()
    for (const one of texts) if (!usual.includes(one)) expect(text, says).not.to.include(one)
    return status
  }

  for (const path of paths)
    it(`show nothing and change nothing at ${path}`, async () => {
      const to = filled(path)
      expect(to).to.match(/^\/members\/[a-z\d/-]+$/)
      const shown = await expectNothing(await me.browser.get(to), `GET ${to}`)
      // Where only a form is sent to, whoever loads it is led to the page that has the form.
      expect(shown, `GET ${to}`).to.be.oneOf([303, 404, 405])
      const before = await service.background.stores.log.lastPosition()
      const sent = await me.browser.post(to, { ...token, title: 'Mine', body: 'Mine', reason: 'Mine' })
      expect(await expectNothing(sent, `POST ${to}`), `POST ${to}`).to.be.oneOf([404, 405])
      expect(await service.background.stores.log.lastPosition()).to.equal(before)
    })

  it('show it to those who may see it', async () => {
    for (const name of ['communities', 'spaces', 'posts'])
      expect((await stranger.browser.get(`/members/${name}/${foreign[name]}`)).status, name).to.equal(200)
  })
})
