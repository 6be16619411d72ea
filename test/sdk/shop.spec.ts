import { expect } from 'chai'
import type { Action, Core, Init, MountedCheckout } from '../../sdk/checkout-port.ts'
import type { Listening, Page } from '../../sdk/core/parts.ts'
import type { CheckoutState } from '../../sdk/index.d.ts'
import { chunkOf } from '../../sdk/shop/main.ts'
import { noCheckout } from '../../sdk/shop/no-checkout.ts'
import { fakeDocument, fakeElement, fakeForm } from './support/fake-elements.ts'
import { fakeHost } from './support/fake-host.ts'

const INIT = { ok: true, mode: 'test', checkout: { gateway: 'simulator', key: null, live: false }, offer: true } as Init

const setup = (init: object = INIT, mounted: Partial<MountedCheckout> = {}) => {
  const elements: HTMLElement[] = []
  const host = { ...fakeHost(), document: fakeDocument(elements) }
  const controller = new AbortController()
  const listeners = new Set<Listening>()
  const page = { token: 'cfp_A', url: 'http://shop.test/', signal: controller.signal, init } as unknown as Page
  const cores: Core[] = []
  const open = chunkOf((core) => {
    cores.push(core)
    return mounted as MountedCheckout
  })
  const shop = open(host, page, listeners)
  return { shop, host, controller, listeners, elements, cores, core: cores[0]! }
}

describe('what lies between the core and the checkout', () => {
  const pay = (element: HTMLElement): Action => ({ name: 'pay', element, form: fakeForm() })

  it('13a-1 keeps what was pressed until somebody does it, each button once', () => {
    const { shop, core } = setup()
    const button = fakeElement('button', { mark: 'pay' })
    shop.act(pay(button))
    shop.act(pay(button))
    const done: string[] = []
    core.onAction(({ name }) => void done.push(name))
    expect(done).to.deep.equal(['pay'])
    shop.act(pay(button))
    expect(done).to.deep.equal(['pay', 'pay'])
  })

  it('answers every call, without a checkout and when it fails', async () => {
    const none = setup({ ...INIT, checkout: null, offer: false })
    expect(await none.shop.call('currentState', [])).to.deep.equal(noCheckout())
    expect([none.cores.length, none.host.texts.length]).to.deep.equal([0, 1])
    const failing = setup(INIT, { currentState: () => Promise.reject(new Error('no')) })
    expect(await failing.shop.call('currentState', [])).to.deep.equal(noCheckout())
    const state = { errors: [] } as unknown as CheckoutState
    const good = setup(INIT, { setQuantity: async (...all) => ({ ...state, ...{ all } }) })
    expect(await good.shop.call('setQuantity', ['v', 'p', 2])).to.deep.equal({ ...state, all: ['v', 'p', 2] })
  })

  it('tells listeners what they listen to, whatever they throw, and late ones the last outcome', () => {
    const { shop, core, listeners, host } = setup()
    const heard: unknown[] = []
    listeners.add(['onPending', () => heard.push('thrown') && JSON.parse('{')])
    listeners.add(['onPending', (pending) => void heard.push(pending)])
    core.emit('pending', true)
    expect(heard).to.deep.equal(['thrown', true])
    expect(host.texts).to.have.length(1)
    const outcome = { status: 'unavailable', message: 'Gone', recoverable: false } as const
    core.emit('outcome', outcome)
    listeners.add(['onOtoOutcome', (late) => void heard.push(late)])
    shop.changed()
    shop.changed()
    expect(heard.slice(2)).to.deep.equal([outcome])
  })

  it('tells of changes of marked elements alone', () => {
    const { shop, core, elements } = setup()
    let changes = 0
    core.onChange(() => changes++)
    shop.changed()
    elements.push(fakeElement('div', { mark: 'shipping' }))
    shop.changed()
    shop.changed()
    elements[0] = fakeElement('div', { mark: 'shipping', visible: true })
    shop.changed()
    expect(changes).to.equal(2)
    expect(core.elements('shipping')).to.deep.equal([elements[0]])
  })

  it('ends with its page', () => {
    let ended = 0
    const { controller } = setup(INIT, { dispose: () => ended++ })
    controller.abort()
    expect(ended).to.equal(1)
  })
})
