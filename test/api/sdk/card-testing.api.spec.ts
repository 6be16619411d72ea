import { expect } from 'chai'
import { Query } from 'mingo'
import type { AnyObject } from 'mingo/types'
import { type RefusedCards, refusedCards } from '../../../api/sdk/checkout/card-testing.ts'
import { SdkRefusal } from '../../../api/sdk/refusal.ts'
import { BANK } from '../../../domain/orders/public.ts'
import { CARDS, line, type Offered, type SdkShop, sdkShop } from '../../support/sdk-shop.ts'
import { startTestService } from '../../support/service.ts'

const MINUTE = 60_000

describe('trying out cards', () => {
  describe('on a page', () => {
    let shop: SdkShop
    let mug: Offered
    before(async () => {
      const service = await startTestService({ MILLRACE_PUBLIC_RATE_LIMIT: '10000', MILLRACE_BEHIND_PROXY: '1' })
      shop = await sdkShop(service, await service.tenant())
      mug = await shop.sells(shop.pages[0]!, { amount: '12.50' })
    })

    const visitor = (address: string) => shop.arrives(shop.pages[0]!, { 'x-forwarded-for': address })

    it('13a 70: ends with the tenth refusal from an address, before the gateway is asked; others buy meanwhile', async () => {
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

    it('13a 70: is held back by those under way: of thirty at once ten come to the gateway, while good ones all do', async () => {
      const outcomesOf = (address: string, card: string, length: number) =>
        Promise.all(
          Array.from({ length }, async () => {
            const buying = await visitor(address)
            const { status } = await buying.pay([line(mug)], { card })
            return status === 200 ? String((await buying.outcome()).body.status) : String(status)
          }),
        )
      const count = (outcomes: readonly string[], outcome: string) => outcomes.filter((one) => one === outcome).length
      const refused = await outcomesOf('192.0.2.9', CARDS.declined, 30)
      expect([count(refused, 'refused'), count(refused, '429')]).to.deep.equal([10, 20])
      expect(count(await outcomesOf('192.0.2.10', CARDS.good, 15), 'paid')).to.equal(15)
    })
  })

  describe('is counted over all processes', () => {
    interface Tried {
      readonly id: number
      readonly tried_from: readonly string[]
      readonly created_at: string
      readonly [name: string]: unknown
    }
    const PATIENCE_MS = 200
    let at: number
    let records: Map<number, Tried>
    let processes: readonly RefusedCards[]
    beforeEach(() => {
      at = Date.parse('2026-11-20T10:00:00Z')
      records = new Map()
      const live = {
        getMany: (_: string, ids: readonly number[]) => ids.map((id) => records.get(id)),
        find: (_: string, { where }: { readonly where: AnyObject }) => {
          const query = new Query(where)
          return [...records.values()].filter((one) => query.test(one))
        },
      }
      const vault = { token: (purpose: string, value: string) => `${purpose} ${value}` }
      processes = [1, 2].map(() => refusedCards({ everywhere: live, vault } as never, PATIENCE_MS))
    })
    const declined = { status: 'undone', failed: 'charge', because: 'declined: card_declined' }
    const going = { status: 'going', step: 'charge', failed: null }
    const source = (number: number, pageId = 1) => ({
      ...{ ip: `10.0.0.${number}`, sessionId: number, pageId },
      at: new Date(at).toISOString(),
    })
    /** Tries to pay, in one process after the other. @returns the seconds after which a refusal may be repeated */
    const tries = (from: ReturnType<typeof source>, outcome: object, id = records.size + 1) =>
      processes[id % 2]!.guard(from, async (tried_from) => {
        records.set(id, { id, tried_from, created_at: from.at, ...outcome })
        return id
      }).then(
        () => undefined,
        (error: unknown) => (error instanceof SdkRefusal ? error.retryAfter : error),
      )

    it('13a 70: by refusals of cards: not by what is sold out, paid, with the bank, or in doubt', async () => {
      for (const outcome of [
        { status: 'completed', failed: null },
        { ...going, step: BANK },
        { ...declined, failed: 'stock', because: 'Only 0 are left' },
        { ...declined, because: 'the gateway cannot be reached (ECONNREFUSED)' },
      ])
        for (let n = 0; n < 12; n++) expect(await tries(source(1), outcome)).to.equal(undefined)
      for (let n = 0; n < 9; n++) expect(await tries(source(1), going)).to.equal(undefined)
      at += 31_000
      expect(await tries(source(1), going)).to.equal(undefined)
    })

    it('13a 70: of an address or a session, ten within ten minutes', async () => {
      for (let n = 0; n < 10; n++) expect(await tries(source(1), declined)).to.equal(undefined)
      expect(await tries(source(1), declined)).to.equal(600)
      expect(await tries({ ...source(2), sessionId: 1 }, declined)).to.equal(600)
      expect(await tries({ ...source(1), sessionId: 2 }, declined)).to.equal(600)
      expect(await tries(source(2), declined)).to.equal(undefined)
      at += 9 * MINUTE
      expect(await tries(source(1), declined)).to.equal(60)
      at += MINUTE
      expect(await tries(source(1), declined)).to.equal(undefined)
    })

    it('13a 70: of a page, fifty within ten minutes, from wherever they come', async () => {
      for (let n = 0; n < 50; n++) {
        expect(await tries(source(n), declined)).to.equal(undefined)
        at += 1000
      }
      expect(await tries(source(999), declined)).to.equal(10 * 60 - 50)
      expect(await tries(source(999, 2), declined)).to.equal(undefined)
      at += 10 * MINUTE
      expect(await tries(source(999), declined)).to.equal(undefined)
    })

    it('13a 70: with those under way, so that ten at once are all that an address has before the first refusal', async () => {
      for (let n = 0; n < 10; n++) expect(await tries(source(1), going)).to.equal(undefined)
      expect(await tries(source(1), going)).to.equal(2)
      expect(await tries(source(2), going)).to.equal(undefined)
      const waits = tries(source(1), going)
      records.set(1, { ...records.get(1)!, status: 'completed' })
      expect(await waits).to.equal(undefined)
    })
  })
})
