import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { INIT } from './support/fake-sdk.ts'
import { type Browsing, pause, useBrowsing, type Visitor } from './support/visitor.ts'

/** A form whose inputs have names, so that a native submit would write them into the address. */
const NAMED = `<form><input name="email" data-cf-element="email"><input name="first" data-cf-element="first-name"><button>Join</button></form>`

/** A checkout that writes down what it is asked to do. */
const MOUNT = `
const state = { errors: [] }
const mount = (core) => {
  core.onAction(({ name, element, form }) => {
    document.documentElement.dataset.acts = [document.documentElement.dataset.acts ?? '', name, element.localName].join(' ').trim()
  })
  const answer = async () => state
  return { setQuantity: answer, updateState: answer, setShipping: answer, currentState: answer, dispose() {} }
}`

describe(`SDK in Chromium: what is pressed before it has started${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()

  const acts = (page: { evaluate(code: string): Promise<unknown> }) =>
    page.evaluate('document.documentElement.dataset.acts')

  /** Holds back for three seconds what the SDK needs in order to begin. */
  const HELD = {
    'the answer to init': async ({ sdk }: Pick<Browsing, 'sdk'>, init: object) =>
      sdk.answer('/init', async () => {
        await pause(3000)
        return init
      }),
    'every further file of the SDK': async ({ sdk }: Pick<Browsing, 'sdk'>, init: object, { context }: Visitor) => {
      sdk.answer('/init', () => init)
      await context.route('**/sdk/*.js', async (route) => {
        await pause(3000)
        await route.continue()
      })
    },
  }

  for (const [what, hold] of Object.entries(HELD)) {
    it(`13a-1 keeps a submit while ${what} is held back for 3 s; it never enters the address, and goes through once`, async () => {
      const { sdk, write, visit } = browsing
      write('shop.test/', { body: NAMED })
      const visitor = await visit()
      await hold(browsing, INIT, visitor)
      const { page, open, errors } = visitor
      const addresses = new Set<string>()
      page.on('framenavigated', (frame) => addresses.add(frame.url()))
      await open('shop.test/')
      await page.fill('[name=email]', 'ana@example.test')
      await pause(1000)
      await page.press('[name=email]', 'Enter')
      await page.press('[name=email]', 'Enter')
      await pause(1000)
      expect(page.url()).to.equal(`http://shop.test:${sdk.port}/`)
      expect(sdk.asked('/submit')).to.deep.equal([])
      await page.waitForURL('**/next/signed')
      expect(sdk.asked('/submit')).to.have.length(1)
      expect(sdk.asked('/submit')[0].data).to.deep.equal([
        ['email', 'ana@example.test'],
        ['first-name', ''],
      ])
      expect([...addresses].filter((address) => address.includes('ana'))).to.deep.equal([])
      expect(errors).to.deep.equal([])
    })

    it(`13a-1 keeps pay and oto-accept alike while ${what} is held back`, async () => {
      const { sdk, write, visit } = browsing
      sdk.mount = MOUNT
      const body = `<form><input name="email" data-cf-element="email"><div data-cf-element="payment-method"></div>
        <button data-cf-element="pay">Pay</button></form><button data-cf-element="oto-accept" value="v|p">Yes</button>`
      write('shop.test/', { body })
      const visitor = await visit()
      await hold(
        browsing,
        { ...INIT, offer: true, checkout: { gateway: 'simulator', key: null, live: false } },
        visitor,
      )
      const { page, open, errors } = visitor
      await open('shop.test/')
      await page.fill('[name=email]', 'ana@example.test')
      await page.click('[data-cf-element=pay]')
      await page.click('[data-cf-element=oto-accept]')
      await pause(1000)
      expect(await acts(page)).to.equal(undefined)
      await until(async () => String(await acts(page)).includes('oto'))
      await pause(200)
      expect(await acts(page)).to.equal('pay button oto-accept button')
      expect(page.url()).to.equal(`http://shop.test:${sdk.port}/`)
      expect(errors).to.deep.equal([])
    })
  }

  it('takes a pay that is no submit button, once the form is valid', async () => {
    const { sdk, write, visit } = browsing
    sdk.mount = MOUNT
    sdk.answer('/init', () => ({ ...INIT, checkout: { gateway: 'simulator', key: null, live: false } }))
    const body = `<form><input data-cf-element="email" required><button type="button" data-cf-element="pay">Pay</button></form>`
    write('shop.test/', { body })
    const { page, open, errors } = await visit()
    await open('shop.test/')
    await page.waitForSelector(`form[action="${sdk.url}/submit"]`)
    await page.click('button')
    await pause(200)
    expect(await acts(page)).to.equal(undefined)
    await page.fill('input', 'ana@example.test')
    await page.click('button')
    await until(() => acts(page))
    expect(await acts(page)).to.equal('pay button')
    expect(errors).to.deep.equal([])
  })
})
