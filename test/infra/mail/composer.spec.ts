import { expect } from 'chai'
import { AddressUnusable, type Letter, type Recipient } from '../../../domain/emails/composing/compose.ts'
import { LiquidFailed } from '../../../domain/emails/liquid/render.ts'
import type { ComposedMail } from '../../../domain/kernel/ports/mail-transport.ts'
import { type ComposerOptions, openMailComposer } from '../../../infra/mail/composer.ts'
import { HOSTILE_MAILS } from '../../support/hostile-mails.ts'

const letter = (html: string): Letter => ({
  texts: { subject: 'Hello', preheadline: 'Mugs', html_body: html, text_body: null },
  from: { name: 'Mug Shop', address: 'hi@shop.example' },
  replyTo: null,
  footer: { business: 'Mugs', address: ['1 High Street'], isSingleLine: true, alignment: 'left', words: null },
  tracksOpens: true,
  tracksClicks: true,
  domain: 'shop.example',
  returnDomain: 'bounces.shop.example',
})
const recipient = (values: Recipient['values'] = {}, address = 'ada@far.example'): Recipient => ({
  ...{ deliveryId: 7, to: { name: 'Ada', address }, values, now: 0, timeZone: 'UTC' },
})

const outcomeOf = (composing: Promise<ComposedMail>): Promise<ComposedMail | Error> =>
  composing.catch((error: Error) => error)

const composers: ReturnType<typeof openMailComposer>[] = []
const composer = (more: Partial<ComposerOptions> = {}) => {
  const opened = openMailComposer({ key: Buffer.alloc(32, 1), origin: () => 'https://mail.shop.example', ...more })
  composers.push(opened)
  return opened
}
/** A thread that ends at some mails, or goes on for ever. */
const ODD = { module: new URL('./odd-composer-thread.js', import.meta.url) }

describe('The composer of mails', () => {
  afterEach(() => Promise.all(composers.splice(0).map((one) => one.close())))

  it('holds at least 60 hostile mails', () =>
    expect(new Set(HOSTILE_MAILS.map(({ name }) => name)).size).to.be.at.least(60))

  it('makes of each what a mail may be, within the budget, while the loop goes on', async () => {
    const { compose } = composer()
    expect(compose).to.be.a('function')
    const one = composer()
    for (const { name, html, values, comes } of HOSTILE_MAILS) {
      let turns = 0
      const counting = setInterval(() => turns++, 0)
      const outcome = await outcomeOf(
        one.compose({ workspaceId: 1, letter: letter(html), recipient: recipient(values) }),
      )
      while (turns === 0) await new Promise((turn) => setImmediate(turn))
      clearInterval(counting)
      expect(
        outcome instanceof Error ? 'failed' : 'sent',
        `${name}: ${outcome instanceof Error && outcome.message}`,
      ).to.equal(comes)
      if (outcome instanceof Error) {
        expect(outcome, name).to.be.instanceOf(LiquidFailed)
        expect(outcome.message, name).to.match(/too long|makes too much|depth/)
        continue
      }
      expect(outcome.text.length, name).to.be.below(html.length + 20_000)
      expect(outcome.html, name).to.contain('Unsubscribe')
    }
  }).timeout(120_000)

  it('fails one mail alone where the thread ends at it', async () => {
    const one = composer(ODD)
    const shared = letter('x')
    const addresses = ['ada@far.example', 'dies@far.example', 'bob@far.example', 'dies@far.example', 'cy@far.example']
    const asked = addresses.map((address) =>
      outcomeOf(one.compose({ workspaceId: 1, letter: shared, recipient: recipient({}, address) })),
    )
    const outcomes = await Promise.all(asked)
    expect(
      outcomes.map((outcome) => (outcome instanceof Error ? outcome.constructor : outcome.to.address)),
    ).to.deep.equal([...['ada@far.example', LiquidFailed, 'bob@far.example', LiquidFailed, 'cy@far.example']])
  })

  it('fails one mail alone that takes too long', async () => {
    const one = composer({ ...ODD, mostMs: 3000 })
    const asked = ['endless@far.example', 'ada@far.example'].map((address, index) =>
      outcomeOf(one.compose({ workspaceId: index, letter: letter('x'), recipient: recipient({}, address) })),
    )
    const [endless, other] = await Promise.all(asked)
    expect(endless).to.be.instanceOf(LiquidFailed)
    expect(other).to.have.nested.property('to.address', 'ada@far.example')
  }).timeout(60_000)

  it('says of a text alone at which the thread ends that it takes too much, and goes on', async () => {
    const one = composer(ODD)
    const asked = { values: {}, now: 0, timeZone: 'UTC' }
    const [dead, none, other, problems] = await Promise.all([
      one.problemsIn(1, { html_body: 'dies' }),
      one.render(1, { text: 'dies', ...asked }),
      one.render(2, { text: 'x', ...asked }),
      one.problemsIn(1, { html_body: 'x' }),
    ])
    expect(dead.map(({ text }) => text)).to.deep.equal(['html_body'])
    expect([none, other, problems]).to.deep.equal([undefined, 'x', []])
  })

  it('blames no mail where no thread can be made', async () => {
    const one = composer({ module: new URL('./no-such-thread.js', import.meta.url) })
    const outcome = await outcomeOf(one.compose({ workspaceId: 1, letter: letter('x'), recipient: recipient() }))
    expect(outcome).to.be.instanceOf(Error).and.not.instanceOf(LiquidFailed)
  })

  it('tells an address that cannot be written', async () => {
    const one = composer()
    const mail = { workspaceId: 1, letter: letter('x'), recipient: recipient({}, 'ada far.example') }
    expect(await outcomeOf(one.compose(mail))).to.be.instanceOf(AddressUnusable)
  })

  it('lets workspaces take turns', async () => {
    const one = composer()
    const many = letter('x')
    const order: number[] = []
    const ask = (workspaceId: number, of: Letter) =>
      one.compose({ workspaceId, letter: of, recipient: recipient() }).then(() => order.push(workspaceId))
    await Promise.all([...Array.from({ length: 100 }, () => ask(1, many)), ask(2, letter('y'))])
    expect(order.indexOf(2)).to.be.below(50)
  })
})
