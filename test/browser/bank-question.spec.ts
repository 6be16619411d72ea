import { expect } from 'chai'
import { hasChromium } from '../support/chromium.ts'
import { buyerOn } from './support/buyer.ts'
import { createPages, type OpenPage, type Pages } from './support/checkout-page.ts'
import { CHECKOUT, OFFER } from './support/markup.ts'

const SCRIPT = 'stand-ins/stripe.js'
const ASKS = '4000 0025 0000 3155'
const ACTION = { ok: true, status: 'action', action: { client_secret: 'pi_1_secret_2' } }

describe("the bank's question where the script is not loaded, in Chromium", () => {
  let pages: Pages
  before(async function () {
    if (!hasChromium) this.skip()
    pages = await createPages()
  })
  after(() => pages?.close())

  const sceneOf = (opened: OpenPage) => {
    const { page, shop } = opened
    return {
      ...opened,
      buyer: buyerOn(page),
      dialog: page.getByRole('dialog', { name: 'Your bank asks' }),
      /** Whether the buyer was really asked. */
      wasAsked: () => page.evaluate<boolean>(`!!window.stripeCalls?.some(([name]) => name === 'handleNextAction')`),
      results: () => shop.asked('/checkout/confirm').map(({ result }) => result),
      /** Answers the bank, whenever it asks. */
      answers: (isApproved: boolean) =>
        page.once('dialog', (dialog) => (isApproved ? dialog.accept() : dialog.dismiss())),
    }
  }
  /** A checkout whose bank asks, loaded anew before the buyer has answered. */
  const reload = async (prepare: (opened: OpenPage) => unknown = () => undefined) => {
    const opened = await pages.open({ body: CHECKOUT, gateway: 'stripe', follow: true })
    const { page } = opened
    const scene = sceneOf(opened)
    await scene.buyer.choose('book')
    await page.getByLabel('Stripe card number').fill(ASKS)
    await scene.buyer.email()
    await scene.buyer.read(`window.stripeStandIn = { bank: 'waits' }`)
    await scene.buyer.pay()
    await page.waitForFunction(`stripeCalls.some(([name]) => name === 'handleNextAction')`)
    await page.clock.install()
    await prepare(opened)
    await page.reload()
    return scene
  }
  /** An offer whose bank asks. */
  const offer = async (prepare: (opened: OpenPage) => unknown = () => undefined) => {
    const opened = await pages.open({ body: OFFER, gateway: 'stripe', offer: true, follow: true }, async (opening) => {
      opening.shop.instead.set('/offer/accept', ({ cart_id = '' }) => {
        opening.shop.standing.set(cart_id, ACTION)
        opening.shop.offer.isOpen = false
        return ACTION
      })
      await opening.page.clock.install()
      await prepare(opening)
    })
    await opened.page.waitForFunction('seen.state.length > 0')
    return sceneOf(opened)
  }
  const accept = ({ page }: Pick<OpenPage, 'page'>) => page.getByRole('button', { name: 'Yes' }).click()
  const keep = ({ hold }: OpenPage) => hold(SCRIPT, 'until let')
  const block = ({ hold }: OpenPage) => hold(SCRIPT, 'missing')

  for (const isApproved of [true, false])
    it(`after a reload it is asked again; ${isApproved ? 'approved' : 'refused'} is the buyer's own answer`, async () => {
      const scene = await reload(({ page }) =>
        page.once('dialog', (dialog) => (isApproved ? dialog.accept() : dialog.dismiss())),
      )
      if (isApproved) await scene.page.waitForURL('**/next/thank-you')
      else {
        await scene.page.getByText('The card was declined').waitFor()
        expect(await scene.wasAsked()).to.equal(true)
      }
      expect(scene.results()).to.deep.equal([isApproved ? 'approved' : 'refused'])
    })

  for (const isApproved of [true, false])
    it(`on an offer it is asked; ${isApproved ? 'approved' : 'refused'} is the buyer's own answer`, async () => {
      const scene = await offer()
      scene.answers(isApproved)
      await accept(scene)
      if (isApproved) await scene.page.waitForURL('**/next/thank-you')
      else {
        await scene.page.waitForFunction(`seen.outcome.some(({ status }) => status === 'failed')`)
        expect(await scene.wasAsked()).to.equal(true)
      }
      expect(scene.results()).to.deep.equal([isApproved ? 'approved' : 'refused'])
    })

  for (const [where, begin] of [
    ['after a reload', (prepare: (opened: OpenPage) => unknown) => reload(prepare)],
    [
      'on an offer',
      async (prepare: (opened: OpenPage) => unknown) => {
        const scene = await offer(prepare)
        await accept(scene)
        return scene
      },
    ],
  ] as const) {
    it(`${where}, its script 15 s late: the buyer reads so at 10 s, and is asked when it comes`, async () => {
      const scene = await begin(keep)
      await scene.page.waitForFunction(`document.querySelector('script[src*=stripe]')`)
      await scene.page.clock.runFor(11_000)
      await scene.dialog.getByText('could not be loaded').waitFor()
      await scene.page.clock.runFor(4000)
      expect(scene.results()).to.deep.equal([])
      scene.answers(true)
      scene.let(SCRIPT)
      await scene.page.waitForURL('**/next/thank-you')
      expect(scene.results()).to.deep.equal(['approved'])
    })

    it(`${where}, its script blocked: nothing is refused, and the buyer can try again`, async () => {
      const scene = await begin(block)
      await scene.dialog.getByText('still waits for your answer').waitFor()
      expect(scene.results()).to.deep.equal([])
      scene.let(SCRIPT)
      scene.answers(true)
      await scene.dialog.getByRole('button', { name: 'Try again' }).click()
      await scene.page.waitForURL('**/next/thank-you')
      expect(scene.results()).to.deep.equal(['approved'])
    })
  }

  it('a blocked script: the buyer may cancel, which is their answer', async () => {
    const scene = await offer(block)
    await accept(scene)
    await scene.dialog.getByRole('button', { name: 'Cancel the payment' }).click()
    await scene.page.waitForFunction(`seen.outcome.some(({ status }) => status === 'failed')`)
    expect(scene.results()).to.deep.equal(['refused'])
  })

  it('a blocked script, and the bank answered in its app: the page goes on by itself', async () => {
    const scene = await offer(block)
    await accept(scene)
    await scene.dialog.waitFor()
    for (const id of scene.shop.standing.keys())
      scene.shop.standing.set(id, { ok: true, status: 'paid', redirect: '/next/thank-you' })
    await scene.page.clock.runFor(3000)
    await scene.page.waitForURL('**/next/thank-you')
    expect(scene.results()).to.deep.equal([])
  })

  it('a gateway that cannot be reached refuses nothing', async () => {
    const scene = await offer(({ page }) =>
      page.addInitScript({ content: `window.stripeStandIn = { bank: 'unreachable' }` }),
    )
    await accept(scene)
    await scene.dialog.waitFor()
    expect(scene.results()).to.deep.equal([])
    await scene.buyer.read(`window.stripeStandIn = {}`)
    scene.answers(true)
    await scene.dialog.getByRole('button', { name: 'Try again' }).click()
    await scene.page.waitForURL('**/next/thank-you')
    expect(scene.results()).to.deep.equal(['approved'])
  })

  it('an offer that is loaded again while the bank asks goes on, and is not told to be unavailable', async () => {
    const scene = await offer(({ page }) => page.addInitScript({ content: `window.stripeStandIn = { bank: 'waits' }` }))
    await accept(scene)
    await scene.page.waitForFunction(`window.stripeCalls?.length > 0`)
    await scene.page.reload()
    await scene.page.waitForFunction(`window.stripeCalls?.length > 0 && seen.state.length > 0`)
    expect(await scene.buyer.read('seen.outcome')).to.deep.equal([])
    await scene.page.addInitScript({ content: `window.stripeStandIn = {}` })
    scene.answers(true)
    await scene.page.reload()
    await scene.page.waitForURL('**/next/thank-you')
    expect(scene.results()).to.deep.equal(['approved'])
    expect(scene.shop.asked('/offer/accept')).to.have.length(1)
  })

  it('an offer that is loaded again and then refused by the buyer can be accepted again', async () => {
    const scene = await offer(({ page }) => page.addInitScript({ content: `window.stripeStandIn = { bank: 'waits' }` }))
    await accept(scene)
    await scene.page.waitForFunction(`window.stripeCalls?.length > 0`)
    await scene.page.addInitScript({ content: `window.stripeStandIn = {}` })
    scene.shop.instead.set('/checkout/confirm', () => {
      scene.shop.offer.isOpen = true
      return undefined
    })
    scene.answers(false)
    await scene.page.reload()
    await scene.page.waitForFunction(`seen.outcome.some(({ status }) => status === 'failed')`)
    scene.answers(true)
    await accept(scene)
    await scene.page.waitForURL('**/next/thank-you')
    expect(scene.results()).to.deep.equal(['refused', 'approved'])
  })
})
