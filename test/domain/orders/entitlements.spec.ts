import { expect } from 'chai'
import type { FactReader } from '../../../domain/kernel/decide/command.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import { entitlementsOf } from '../../../domain/orders/public.ts'

const ORDER = 1
const CHURNS = '2026-05-01T00:00:00.000Z'

interface Sold {
  readonly order?: object
  readonly invoices: readonly { readonly id: number; readonly status?: string; readonly ever_paid?: boolean }[]
  /** Lines of invoices: invoice, variant, and how the variant is paid. */
  readonly lines: readonly (readonly [invoice: number, variant: number, type?: string])[]
  /** Variants of the order now. */
  readonly variants: readonly number[]
  /** Variants that it has moved away from. */
  readonly left?: readonly number[]
}

const of = (rows: readonly object[]) => rows.map((row, index) => ({ id: index + 1, order_id: ORDER, ...row }))

/** Documents of one order. */
const documents = ({ order = {}, invoices, lines, variants, left = [] }: Sold): FactReader => {
  const found: Readonly<Record<string, readonly object[]>> = {
    'orders/invoice': of(invoices.map((one) => ({ status: 'paid', ever_paid: true, ...one }))),
    'orders/invoices/line_item': of(
      lines.map(([invoice_id, variant_id, payment_type = 'subscription']) => ({
        invoice_id,
        variant_id,
        payment_type,
      })),
    ),
    'orders/line_item': of(variants.map((variant_id) => ({ variant_id }))),
    'orders/line_items/change': of(left.map((previous_variant_id) => ({ line_item_id: 1, previous_variant_id }))),
  }
  const own = { id: ORDER, order_type: 'subscription-order', service_status: 'active', churned_at: null, ...order }
  const reader = {
    get: async () => own,
    find: async (collection: string) => found[collection] ?? [],
  }
  return reader as unknown as FactReader
}

const entitled = async (sold: Sold) =>
  (await entitlementsOf(ORDER, readerOver(documents(sold)))).map(({ line_id, isOpen, isBought, ends_at }) => [
    line_id,
    isOpen,
    isBought,
    ends_at,
  ])
const open = async (sold: Sold) => (await entitlementsOf(ORDER, readerOver(documents(sold)))).map((one) => one.isOpen)

const A = 10
const B = 20
const once = { order_type: 'one-time-order', service_status: 'completed' }

describe('what an order entitles its buyer to', () => {
  it('15 3: is nothing for an invoice that was never paid', async () => {
    const invoices = [{ id: 1, status: 'past-due', ever_paid: false }]
    expect(await entitled({ order: once, invoices, lines: [[1, A, 'one_time']], variants: [A] })).to.deep.equal([])
  })

  it('15 4: lasts through a partial refund, and ends with a whole one, a lost dispute, and what is void', async () => {
    for (const [status, isOpen] of [
      ['paid', true],
      ['partially-refunded', true],
      ['refunded', false],
      ['disputed', false],
      ['voided', false],
      ['unpaid', false],
    ] as const)
      expect(
        await entitled({ order: once, invoices: [{ id: 1, status }], lines: [[1, A, 'one_time']], variants: [A] }),
        status,
      ).to.deep.equal([[1, isOpen, true, null]])
  })

  it('15 6: of a subscription lasts until what is paid is over, and then ends; what was paid once beside it stays', async () => {
    const sold = {
      invoices: [{ id: 1 }],
      lines: [
        [1, A],
        [1, B, 'one_time'],
      ] as const,
      variants: [A, B],
    }
    const canceled = { service_status: 'canceled', churned_at: CHURNS }
    expect(await entitled({ ...sold, order: canceled })).to.deep.equal([
      [1, true, true, CHURNS],
      [2, true, true, null],
    ])
    expect(await open({ ...sold, order: { service_status: 'churned', churned_at: CHURNS } })).to.deep.equal([
      false,
      true,
    ])
    for (const service_status of ['completed', 'paused'])
      expect(await open({ ...sold, order: { service_status } }), service_status).to.deep.equal([true, true])
  })

  it('15 9: is bought by the first invoice of a variant; renewals go on with it', async () => {
    const invoices = [{ id: 1 }, { id: 2 }, { id: 3 }]
    const lines = [
      [1, A],
      [2, A],
      [3, A],
    ] as const
    expect((await entitled({ invoices, lines, variants: [A] })).map(([, , isBought]) => isBought)).to.deep.equal([
      true,
      false,
      false,
    ])
  })

  it('of a subscription ends with the refund of its last payment, not with that of an earlier one', async () => {
    const lines = [
      [1, A],
      [2, A],
    ] as const
    const sold = (first: string, second: string) => ({
      invoices: [
        { id: 1, status: first },
        { id: 2, status: second },
      ],
      ...{ lines, variants: [A] },
    })
    expect(await open(sold('refunded', 'paid'))).to.deep.equal([true, true])
    expect(await open(sold('paid', 'refunded'))).to.deep.equal([false, false])
    const unpaid = { invoices: [{ id: 1 }, { id: 2, status: 'past-due', ever_paid: false }], lines, variants: [A] }
    expect(await open(unpaid)).to.deep.equal([true])
  })

  it('of a subscription that moves to another variant goes on until that is paid, also when it moves back', async () => {
    const moved = { invoices: [{ id: 1 }], lines: [[1, A]] as const, variants: [B], left: [A] }
    expect(await open(moved)).to.deep.equal([true])
    const paid = {
      ...moved,
      invoices: [{ id: 1 }, { id: 2 }],
      lines: [
        [1, A],
        [2, B],
      ] as const,
    }
    expect(await entitled(paid)).to.deep.equal([
      [1, false, true, null],
      [2, true, true, null],
    ])
    const back = { ...paid, variants: [A], left: [A, B] }
    expect(await open(back)).to.deep.equal([false, true])
    const renewed = { ...back, invoices: [...paid.invoices, { id: 3 }], lines: [...paid.lines, [3, A]] as const }
    expect(await open(renewed)).to.deep.equal([true, false, true])
  })

  it('of a subscription is not what it was moved from before the last payment', async () => {
    const C = 30
    const sold = {
      invoices: [{ id: 1 }, { id: 2 }],
      ...{ variants: [C], left: [A, B] },
      lines: [
        [1, A],
        [2, B],
      ] as const,
    }
    expect(await open(sold)).to.deep.equal([false, true])
  })

  it('of a line item follows that line item, whatever the others of its order were paid for', async () => {
    const lines = [
      [1, A],
      [1, B],
      [2, A],
    ] as const
    expect(await open({ invoices: [{ id: 1 }, { id: 2 }], lines, variants: [A, B] })).to.deep.equal([true, true, true])
  })
})
