import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium, WHY_NOT } from '../support/chromium.ts'
import { ok } from '../support/client.ts'
import { askForLink } from '../support/member.ts'
import { memberCommunity } from '../support/member-communities.ts'
import { type Tenant, type TestService, testService } from '../support/service.ts'
import { expectAccessible, fill, headingOf, press, tabTo } from './support/keyboard.ts'

describe(`communities on the members’ side in Chromium${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  let service: TestService
  let tenant: Tenant
  let browser: Browser
  const contexts: BrowserContext[] = []

  before(async function () {
    if (WHY_NOT) this.skip()
    service = await testService()
    tenant = await service.tenant({ test: true })
    browser = await startChromium()
  })
  after(async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
  })

  /** Signs a contact in, in a browser of its own. */
  const entered = async (name: string): Promise<Page> => {
    await service.caughtUp()
    const url = new URL(await askForLink(service, tenant, `${name}@example.com`))
    url.port = new URL(service.publicUrl).port
    const context = await browser.newContext()
    contexts.push(context)
    const page = await context.newPage()
    await page.goto(url.href)
    await page.locator('main button').click()
    await page.waitForURL(/\/members$/)
    return page
  }
  const text = (page: Page) => page.locator('main').innerText()

  it('a contact joins, reads, writes, likes and comments, and a moderator approves, by keyboard alone and without script', async () => {
    const on = await memberCommunity(service, tenant, { require_post_approvals: true })
    const grace = await on.contact('grace', { last_name: 'Hopper' })
    ok(await on.make.join(on.community, grace))
    await on.contact('mod')
    const { body: contacts } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?sort_order=desc`)
    ok(await on.make.join(on.community, contacts[0].id, { moderator: true }))
    await on.make.post(on.space, { title: 'Crawling', body: '<p>Why does it <em>crawl</em>?</p>', contact_id: grace })
    await on.contact('ada')

    const ada = await entered('ada')
    const asked: string[] = []
    ada.on('request', (request) => asked.push(request.url()))
    await press(ada, 'Communities')
    await expectAccessible(ada)
    await press(ada, 'Potters')
    await expectAccessible(ada)
    await press(ada, 'Join Potters')
    await press(ada, 'Glazes')
    expect(await text(ada)).to.contain('Why does it crawl?')
    await expectAccessible(ada)
    await press(ada, 'Crawling')
    expect(await text(ada)).to.contain('By grace Hopper')
    await expectAccessible(ada)
    await press(ada, 'Like')
    expect(await text(ada)).to.contain('1 like')
    await tabTo(ada, 'body')
    await ada.keyboard.type('Thinner, I think.')
    await press(ada, 'Comment')
    expect(await text(ada)).to.contain('Thinner, I think.')
    await expectAccessible(ada)
    await press(ada, 'Reply')
    await expectAccessible(ada)
    await fill(ada, 'body', 'Much thinner.')
    await press(ada, 'Comment')
    expect(await text(ada)).to.contain('In reply to ada')
    await expectAccessible(ada)

    await press(ada, 'Back to Glazes')
    await press(ada, 'Write a post')
    await expectAccessible(ada)
    await fill(ada, 'title', 'Pinholes')
    await fill(ada, 'body', 'Where do they come from?')
    await tabTo(ada, 'Mention somebody')
    await ada.keyboard.press('Enter')
    await tabTo(ada, 'mention')
    await ada.keyboard.press('Space')
    await expectAccessible(ada)
    await press(ada, 'Post')
    expect(await text(ada)).to.contain('Waits for approval')
    await press(ada, 'Pinholes')
    await expectAccessible(ada)
    await press(ada, 'Edit')
    await expectAccessible(ada)

    const mod = await entered('mod')
    await press(mod, 'Communities')
    await press(mod, 'Potters')
    await press(mod, 'To be looked at')
    await expectAccessible(mod)
    await press(mod, 'Pinholes')
    await expectAccessible(mod)
    await press(mod, 'Approve')
    expect(await text(mod)).not.to.contain('Waits for approval')
    await press(mod, 'Pin')
    await press(mod, 'Report')
    await expectAccessible(mod)
    await press(mod, 'Report')
    expect(await headingOf(mod)).to.equal('Report')

    await ada.goto(new URL(`/members/spaces/${on.space}`, ada.url()).href)
    expect(await text(ada)).to.contain('Pinned')
    await expectAccessible(ada)
    await press(ada, 'Back to Potters')
    await press(ada, 'Leave Potters')
    await expectAccessible(ada)
    await press(ada, 'Leave Potters')
    expect(await headingOf(ada)).to.equal('Communities')
    const { origin } = new URL(ada.url())
    expect(asked.filter((url) => new URL(url).origin !== origin)).to.deep.equal([])
  })
})
