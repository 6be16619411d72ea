import { expect } from 'chai'
import type { Dialog, Page } from 'playwright-core'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { OPT_IN, useBrowsing, type Visitor } from './support/visitor.ts'

const ROUTES = ['A', 'B', 'C', 'D', 'E']
const tokenOf = (route: string) => `cfp_${route.repeat(24)}`

describe(`SDK in Chromium: submissions that do not leave the page${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()
  const asked = (path: string) => browsing.sdk.asked(path)

  const opened = async (body = OPT_IN, token = tokenOf('A')): Promise<Visitor> => {
    browsing.write('shop.test/', { body, token })
    const visitor = await browsing.visit()
    await visitor.open('shop.test/')
    await aimed(visitor.page)
    return visitor
  }
  const aimed = (page: Page) => page.waitForSelector(`form[action="${browsing.sdk.url}/submit"]`)
  const join = async (page: Page, email: string, form = 'form') => {
    await page.fill(`${form} [type=email]`, email)
    await page.click(`${form} button`)
  }
  const emailsOf = (bodies: readonly { readonly data: readonly (readonly [string, string])[] }[]) =>
    bodies.map(({ data }) => data[0]?.[1])

  it('go on in a single-page app of five routes with a form on each', async () => {
    const { page, errors } = await opened()
    await page.route('**/submit', (route) => route.fulfill({ status: 204 }))
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/submit'))
        posts.push(new URLSearchParams(request.postData() ?? '').get('token') ?? '')
    })
    for (const route of ROUTES) {
      await page.evaluate(`(() => {
        document.body.innerHTML = ${JSON.stringify(OPT_IN)}
        document.querySelector('meta[name=cf-page-token]').content = '${tokenOf(route)}'
      })()`)
      await aimed(page)
      await join(page, `${route}@example.test`)
      await until(() => posts.includes(tokenOf(route)), `the form of route ${route} was sent`)
    }
    expect(posts).to.deep.equal(ROUTES.map(tokenOf))
    expect(errors).to.deep.equal([])
  })

  it('are sent from another form of the page, and again from the same one as one submission', async () => {
    const { page } = await opened(`<div id="one">${OPT_IN}</div><div id="other">${OPT_IN}</div>`)
    let isHeld = true
    const sent: URLSearchParams[] = []
    await page.route('**/submit', (route) => {
      sent.push(new URLSearchParams(route.request().postData() ?? ''))
      return isHeld ? route.fulfill({ status: 204 }) : route.continue()
    })
    await join(page, 'one@example.test', '#one')
    await until(() => sent.length === 1)
    await page.click('#one button')
    await until(() => sent.length === 2)
    await join(page, 'other@example.test', '#other')
    await until(() => sent.length === 3)
    const [first, again, other] = sent.map((one) => one.get('nonce'))
    expect([again === first, other === first]).to.deep.equal([true, false])
    isHeld = false
    await join(page, 'one.changed@example.test', '#one')
    await page.waitForURL('**/next/signed')
    expect(emailsOf(asked('/submit'))).to.deep.equal(['one.changed@example.test'])
  })

  it('are sent after the visitor chose to stay', async () => {
    const { page } = await opened()
    const choices: Dialog[] = []
    page.on('dialog', async (dialog) => {
      choices.push(dialog)
      await (choices.length === 1 ? dialog.dismiss() : dialog.accept())
    })
    await page.evaluate(`addEventListener('beforeunload', (event) => event.preventDefault())`)
    await join(page, 'stay@example.test')
    await until(() => choices.length === 1)
    expect(asked('/submit')).to.deep.equal([])
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect(emailsOf(asked('/submit'))).to.deep.equal(['stay@example.test'])
  })

  it('tell the visitor when no nonce was given, until the form is sent', async () => {
    const { sdk } = browsing
    sdk.answer('/nonce', () => ({ ok: false, error: { code: 'busy', message: 'Too many' } }))
    const { page, errors } = await opened()
    await join(page, 'told@example.test')
    await page.getByRole('alert').filter({ hasText: 'could not be sent' }).waitFor()
    await page.click('button')
    await until(() => asked('/nonce').length === 2)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').count()).to.equal(1)
    sdk.answer('/nonce', () => ({ ok: true, nonce: 'given' }))
    await page.click('button')
    await page.waitForURL('**/next/signed')
    expect(errors).to.deep.equal([])
  })
})
