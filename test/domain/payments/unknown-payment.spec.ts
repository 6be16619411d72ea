import { expect } from 'chai'
import type { FactReader } from '../../../domain/kernel/decide/command.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import {
  knownPaymentsAreSettled,
  paymentsGivenBackAreSettled,
} from '../../../domain/payments/unknown-payment/policies.ts'

const PAYMENT = { id: 7, external_id: 'pi_1', gateway_account_id: 3, amount: '12.50', currency: 'USD' }

describe('a payment that was told of before it was known', () => {
  /** Ids of the payments that a policy takes off the list, with these documents beside. */
  const settled = async (
    policy: typeof knownPaymentsAreSettled,
    documents: Readonly<Record<string, readonly object[]>>,
    event: object = { type: 'UnknownPaymentReported', data: { external_id: 'pi_1' } },
  ) => {
    const all: Readonly<Record<string, readonly object[]>> = { 'payments/unknown_payment': [PAYMENT], ...documents }
    const read = {
      find: (collection: string) => [...(all[collection] ?? [])] as Document[],
      get: (collection: string) => all[collection]?.[0] as Document | undefined,
    } as unknown as FactReader
    const asked = await policy.react(event as never, read, () => 1)
    return asked.map((one) => ('id' in one ? one.id : undefined))
  }

  it('is settled by the sale of an order, by a checkout, and by a refund of all of it', async () => {
    const by = (documents: Readonly<Record<string, readonly object[]>>) => settled(knownPaymentsAreSettled, documents)
    expect(await by({})).to.deep.equal([])
    expect(await by({ 'orders/transaction': [{ id: 1 }] })).to.deep.equal([7])
    expect(await by({ 'orders/checkout': [{ id: 1 }] })).to.deep.equal([7])
    expect(await by({ 'payments/notification': [{ id: 1, amount: '12.50' }] })).to.deep.equal([7])
    expect(await by({ 'payments/notification': [{ id: 1, amount: '12.49' }] })).to.deep.equal([])
  })

  it('is settled by a checkout that gave it back, if that was charged', async () => {
    const undone = { type: 'CheckoutUndone', stream: 'orders/checkout-1', data: {} }
    const of = (charge_id: string | null) =>
      settled(paymentsGivenBackAreSettled, { 'orders/checkout': [{ id: 1, charge_id }] }, undone)
    expect([await of('pi_1'), await of(null)]).to.deep.equal([[7], []])
  })
})
