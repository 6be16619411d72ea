import { expect } from 'chai'
import { spacesNow } from '../../../domain/communities/purchases.ts'
import { grantsNow } from '../../../domain/courses/public.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { BOUGHT } from '../../../domain/orders/public.ts'
import { unbound } from '../../support/unbound.ts'

const AT = '2026-05-01T00:00:00.000Z'
const ORDER = 1
const LINE = 11

/** An order of one line that was paid, with an invoice of some status. No policy has run. */
const sold = (status: string) => {
  const of = { order_id: ORDER }
  const rows: Readonly<Record<string, readonly object[]>> = {
    order: [{ id: ORDER, order_type: 'one-time-order', service_status: 'completed', churned_at: null }],
    'orders/invoice': [{ id: 5, ...of, status, ever_paid: true }],
    'orders/invoices/line_item': [{ id: LINE, ...of, invoice_id: 5, variant_id: 7, payment_type: 'one_time' }],
    'orders/line_item': [{ id: 2, ...of, variant_id: 7 }],
    'orders/line_items/change': [],
  }
  const all = (collection: string) => (rows[collection] ?? []) as readonly Document[]
  const one = (collection: string, id: number | string) => all(collection).find((row) => row.id === id)
  return readerOver(
    unbound({
      get: async (collection, id) => one(collection, id),
      getMany: async (collection, ids) => ids.map((id) => one(collection, id)),
      find: async (collection) => [...all(collection)],
    }),
  )
}

const granted = (source_type: string, source_id: number) => ({
  ...{ source_type, source_id, section_ids: [3], granted_at: AT, ends_at: null, ended_at: null, ended_by: null },
})

describe('what a purchase gave, before any policy has followed', () => {
  it('is closed with the payment: a course by it alone, and no other cause', async () => {
    const grants = [granted(BOUGHT, LINE), granted('api', 1)] as unknown as Parameters<typeof grantsNow>[0]
    const ended = async (status: string) => (await grantsNow(grants, AT, sold(status))).map((one) => one.ended_at)
    expect(await ended('paid')).to.deep.equal([null, null])
    for (const status of ['refunded', 'disputed', 'voided', 'unpaid'])
      expect(await ended(status), status).to.deep.equal([AT, null])
  })

  it('is closed with the payment: spaces that it alone has opened', async () => {
    const purchases = [{ source_type: BOUGHT, source_id: LINE, space_ids: [1, 2], ended: false }]
    const own = { purchases, bought_space_ids: [1] }
    expect(await spacesNow(own, [1, 2, 3], AT, sold('paid'))).to.deep.equal([1, 2, 3])
    expect(await spacesNow(own, [1, 2, 3], AT, sold('refunded'))).to.deep.equal([2, 3])
    const ended = { purchases: purchases.map((one) => ({ ...one, ended: true })), bought_space_ids: [] }
    expect(await spacesNow(ended, [3], AT, sold('refunded'))).to.deep.equal([3])
  })
})
