import { expect } from 'chai'
import { refusedCards } from '../../../api/sdk/checkout/card-testing.ts'
import { SdkRefusal } from '../../../api/sdk/refusal.ts'
import { CARDS, line, type Offered, type SdkShop, sdkShop } from '../../support/sdk-shop.ts'
import { startTestService } from '../../support/service.ts'

const MINUTE = 60_000

describe('trying out cards (case 70)', () => {
  describe('on a page', () => {
    let shop: SdkShop
    let mug: Offered
    before(async () => {
      const service = await startTestService({ MILLRACE_PUBLIC_RATE_LIMIT: '10000', MILLRACE_BEHIND_PROXY: '1' })
      shop = await sdkShop(service, await service.tenant())
      mug = await shop.sells(shop.pages[0]!, { amount: '12.50' })
    })

    const visitor = (address: string) => shop.arrives(shop.pages[0]!, { 'x-forwarded-for': address })

    it('ends with the tenth refusal from an address, before the gateway is asked; others buy meanwhile', async () => {
      for (let number = 1; number <= 10; number++) {
        const buying = await visitor('192.0.2.7')
        await buying.pay([line(mug)], { card: CARDS.declined })
        expect((await buying.outcome()).body.status).to.equal('refused')
      }
      const buying = await visitor('192.0.2.7')
      const { status, body, headers } = await buying.pay([line(mug)])
      expect([status, body.error.code]).to.deep.equal([429, 'too_many_requests'])
      expect(Number(headers.get('retry-after'))).to.be.within(1, 600)
      expect((await buying.outcome()).body.status).to.equal('none')
      const other = await visitor('192.0.2.8')
      await other.pay([line(mug)])
      expect((await other.outcome()).body.status).to.equal('paid')
    })
  })

  describe('is counted by refusals', () => {
    let time: number
    let outcomes: Map<number, object>
    const limit = () =>
      refusedCards(
        { live: { getMany: (_: string, ids: readonly number[]) => ids.map((id) => outcomes.get(id)) } as never },
        () => time,
      )
    beforeEach(() => {
      time = 0
      outcomes = new Map()
    })
    const declined = { status: 'undone', failed: 'charge', because: 'declined: card_declined' }
    const source = (number: number, token = 'page') => ({ ip: `10.0.0.${number}`, sessionId: number, token })
    const isRefused = async (check: Promise<void>) =>
      check.then(
        () => undefined,
        (error: unknown) => (error instanceof SdkRefusal ? error.retryAfter : error),
      )

    it('of cards: not by what is sold out, paid, or undecided', async () => {
      const cards = limit()
      for (const [index, outcome] of [
        { status: 'completed' },
        { status: 'going' },
        { ...declined, failed: 'stock', because: 'Only 0 are left' },
        { ...declined, because: 'the gateway cannot be reached (ECONNREFUSED)' },
      ].entries())
        for (let n = 0; n < 12; n++) {
          outcomes.set(index * 100 + n, outcome)
          cards.began(source(1), index * 100 + n)
        }
      expect(await isRefused(cards.check(source(1)))).to.equal(undefined)
    })

    it('of a page, fifty within ten minutes, from wherever they come', async () => {
      const cards = limit()
      for (let n = 0; n < 50; n++) {
        time = n * 1000
        outcomes.set(n, declined)
        cards.began(source(n), n)
      }
      expect(await isRefused(cards.check(source(999)))).to.equal(10 * 60 - 49)
      expect(await isRefused(cards.check(source(999, 'another page')))).to.equal(undefined)
      time = 10 * MINUTE + 1
      expect(await isRefused(cards.check(source(999)))).to.equal(undefined)
    })
  })
})
