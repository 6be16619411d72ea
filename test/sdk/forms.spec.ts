import { expect } from 'chai'
import type { Page } from '../../sdk/core/parts.ts'
import { fill } from '../../sdk/forms/prefill.ts'
import { entriesOf, isAllowed } from '../../sdk/forms/registry.ts'
import { submitter } from '../../sdk/forms/submit.ts'
import { fakeDocument, fakeElement } from './support/fake-elements.ts'
import { fakeHost } from './support/fake-host.ts'

describe('registry of elements', () => {
  it('allows each name on its own tags alone', () => {
    const allowed: [tag: string, mark: string, type?: string][] = [
      ['input', 'email'],
      ['input', 'first-name'],
      ['input', 'last-name'],
      ['input', 'name'],
      ['input', 'phone'],
      ['input', 'custom-attribute:a b'],
      ['select', 'custom-attribute:a', 'select-one'],
      ['textarea', 'custom-attribute:a', 'textarea'],
      ['div', 'payment-method'],
      ['div', 'shipping'],
      ['div', 'billing'],
      ['button', 'pay', 'submit'],
      ['input', 'pay', 'submit'],
      ['input', 'billing-same-as-shipping', 'checkbox'],
      ['button', 'oto-accept', 'button'],
      ['button', 'oto-decline', 'submit'],
    ]
    const refused: [tag: string, mark: string, type?: string][] = [
      ['div', 'email'],
      ['select', 'email', 'select-one'],
      ['input', 'Email'],
      ['input', 'emails'],
      ['input', 'custom-attribute:'],
      ['div', 'custom-attribute:a input'],
      ['span', 'shipping'],
      ['input', 'pay'],
      ['a', 'pay'],
      ['input', 'billing-same-as-shipping'],
      ['div', 'oto-accept'],
      ['input', ''],
    ]
    const isOf = ([tag, mark, type]: (typeof allowed)[number]) =>
      isAllowed(fakeElement(tag, { mark, ...(type !== undefined && { type }) }))
    expect(allowed.filter((one) => !isOf(one))).to.deep.equal([])
    expect(refused.filter(isOf)).to.deep.equal([])
  })

  it('submits what is entered, in order', () => {
    const elements = [
      fakeElement('input', { mark: 'email', value: 'a@b.c' }),
      fakeElement('input', { mark: 'phone' }),
      fakeElement('input', { mark: 'name', value: 'x', isLeftOut: true }),
      fakeElement('select', { mark: 'custom-attribute:c', type: 'select-multiple', options: ['1', '2'] }),
      fakeElement('button', { mark: 'pay', type: 'submit', value: 'no' }),
    ]
    expect(entriesOf(elements)).to.deep.equal([
      ['email', 'a@b.c'],
      ['phone', ''],
      ['custom-attribute:c', '1'],
      ['custom-attribute:c', '2'],
    ])
  })
})

describe('filling in', () => {
  const TYPED = { email: 'a@b.c', first_name: 'Ana', last_name: 'Bo', phone: '1', custom: 'no' }

  it('13a-41 fills each empty input once, and both names into one', () => {
    const [email, name, own, custom] = [
      fakeElement('input', { mark: 'email' }),
      fakeElement('input', { mark: 'name' }),
      fakeElement('input', { mark: 'first-name', value: 'Host' }),
      fakeElement('input', { mark: 'custom-attribute:custom' }),
    ]
    const written: unknown[] = []
    const touched = new WeakSet<EventTarget>()
    const run = () =>
      fill(
        fakeDocument([email, name, own, custom]),
        TYPED,
        touched,
        (input, value) => void written.push([input, value]),
      )
    run()
    run()
    expect(written).to.deep.equal([
      [email, 'a@b.c'],
      [name, 'Ana Bo'],
    ])
  })

  it('13a-42 leaves what the visitor has used, and what cannot be written in', () => {
    const [focused, used] = [fakeElement('input', { mark: 'email' }), fakeElement('input', { mark: 'phone' })]
    const written: unknown[] = []
    const fixed = Object.assign(fakeElement('input', { mark: 'last-name' }), { readOnly: true })
    fill(fakeDocument([focused, used, fixed], focused), TYPED, new WeakSet([used]), (input) => void written.push(input))
    expect(written).to.deep.equal([])
  })

  it('does not split a name', () => {
    const written: unknown[] = []
    const first = fakeElement('input', { mark: 'first-name' })
    fill(fakeDocument([first]), { name: 'Ana Bo' }, new WeakSet(), (input) => void written.push(input))
    expect(written).to.deep.equal([])
  })
})

describe('submission', () => {
  const setup = () => {
    const host = fakeHost()
    const posted: unknown[] = []
    const answers: object[] = []
    const page = {
      ...{ token: 'cfp_A', url: 'http://shop.test/', identity: { session: () => 's1' } },
      call: async () => answers.shift() ?? { ok: true, nonce: 'n' },
    } as unknown as Page
    const natives = { aim: () => {}, write: () => {}, post: (...all: unknown[]) => void posted.push(all) }
    return { host, posted, answers, page, ...submitter(host, natives) }
  }
  const FIELDS = [fakeElement('input', { mark: 'email', value: 'a@b.c' })]

  it('13a-35 is posted once while a nonce is asked for, and again with the same one', async () => {
    const { submit, page, posted, answers } = setup()
    answers.push({ ok: true, nonce: 'n' }, { ok: true, nonce: 'another' })
    await Promise.all([submit(page, FIELDS), submit(page, FIELDS)])
    const fields = { token: 'cfp_A', url: 'http://shop.test/', nonce: 'n', session: 's1', data: '[["email","a@b.c"]]' }
    expect(posted).to.deep.equal([['https://sdk.test/submit', fields]])
    await submit(page, FIELDS)
    expect(posted[1]).to.deep.equal(posted[0])
  })

  it('13a-36 may be tried again when there was no nonce', async () => {
    const { submit, page, posted, answers, host } = setup()
    answers.push({ ok: false, error: { code: 'unreachable', message: 'No answer' } })
    await submit(page, FIELDS)
    expect([posted.length, host.texts.length]).to.deep.equal([0, 1])
    await submit(page, FIELDS)
    expect(posted).to.have.length(1)
  })

  it('13a-37 may be done again when the page is back', async () => {
    const { submit, release, page, posted } = setup()
    await submit(page, FIELDS)
    release()
    await submit(page, FIELDS)
    expect(posted).to.have.length(2)
  })
})
