import type { Page } from 'playwright-core'

export const GOOD = '4242 4242 4242 4242'
export const DECLINED = '4000 0000 0000 0002'
export const ASKS = '4000 0025 0000 3155'

/** Arguments of `Locator.evaluate` for a property of the element. */
export const property = (name: string) =>
  [(element: object, key: string): unknown => Reflect.get(element, key), name] as const

/** What a buyer does on a page with the simulator, and what is looked at afterwards. */
export const buyerOn = (page: Page) => {
  const read = <T>(expression: string): Promise<T> => page.evaluate(expression)
  return {
    read,
    /** Puts something into the cart, as the page's own script does. */
    choose: (what: 'mug' | 'book', quantity = 1) =>
      read(`CfSdk.checkout.setQuantity('v_${what}', 'p_${what}', ${quantity})`),
    state: () => read<import('../../../sdk/index.d.ts').CheckoutState>('CfSdk.checkout.currentState()'),
    async type(card: string) {
      await page.getByLabel('Card number').fill(card)
      await page.getByLabel('Expiration').fill('12 / 34')
      await page.getByLabel('Security code').fill('123')
    },
    async ship(country = 'DE') {
      const form = page.getByRole('group', { name: 'Shipping address' })
      await form.getByLabel('Country').selectOption(country)
      await form.getByLabel('Address', { exact: true }).fill('Hauptstr. 1')
      await form.getByLabel('City').fill('Berlin')
      await form.getByLabel('Postal code').fill('10115')
    },
    email: (address = 'ana@example.test') => page.getByLabel('E-mail').fill(address),
    pay: () => page.getByRole('button', { name: 'Pay' }).click(),
    /** Waits until the visitor was led on. */
    async left(): Promise<readonly string[]> {
      await page.waitForFunction('left.length > 0')
      return read('left')
    },
    alert: () => page.getByRole('alert').innerText(),
    codes: () => read<string[]>(`CfSdk.checkout.currentState().then(({ errors }) => errors.map(({ code }) => code))`),
  }
}
