import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Adapter } from '../../../domain/kernel/ports/calls.ts'
import type { ChargeRequest, RefundRequest } from '../../../domain/payments/public.ts'
import type { Gateway } from '../../../infra/payments/gateway.ts'
import { withTimeout } from '../../../workers/calls/with-timeout.ts'

/** A gateway under test, with the tokens that pages would get from it. */
export interface GatewaySetting {
  readonly gateway: Gateway
  /** Makes a token of a card of this kind. */
  token(
    kind: 'approved' | 'declined' | 'insufficient' | 'authentication' | 'asks' | 'timeout' | 'down' | 'unknown',
  ): string
  /** Makes the gateway act without answering (`timeout`), be unreachable (`down`), or answer again (`well`). */
  behaves(how: 'well' | 'timeout' | 'down'): Promise<void>
  /** Lets the buyer answer the bank about the last charge. */
  answersBank(result: 'approved' | 'refused'): void
  /** Number of recorded charges and refunds; absent when the gateway records none. */
  books?(): { readonly charges: number; readonly refunds: number }
  close(): Promise<void>
}

const PATIENCE_MS = 150

/** Sends one attempt as workers do. */
const sent = <Request, Answer>(adapter: Adapter<Request, Answer>, request: Request, key: string) =>
  withTimeout(PATIENCE_MS, (signal) => adapter.send(request, key, signal))

/** Contract of every gateway. */
export const gatewayContract = (open: () => Promise<GatewaySetting>): void => {
  let setting: GatewaySetting
  beforeEach(async () => {
    setting = await open()
  })
  afterEach(() => setting.close())

  const { signal } = new AbortController()
  const account = { workspace_id: 1, gateway_account_id: 1 }

  const method = async (kind: Parameters<GatewaySetting['token']>[0]): Promise<string> => {
    const request = { ...account, token: setting.token(kind), contact_id: 5, email_address: 'ada@example.com' }
    const saved = await setting.gateway.save.send(request, randomUUID(), signal)
    if (saved.came !== 'answered') throw new Error(JSON.stringify(saved))
    expect(saved.answer.label).to.be.a('string')
    return saved.answer.payment_method_id
  }
  const of = (payment_method_id: string): ChargeRequest => ({
    ...account,
    payment_method_id,
    amount: '12.50',
    currency: 'USD',
    about: 'A shirt',
  })
  const charge = async (kind: Parameters<GatewaySetting['token']>[0], key: string = randomUUID()) => {
    const request = of(await method(kind))
    return { request, key, came: await setting.gateway.charge.send(request, key, signal) }
  }
  const charged = async () => {
    const { came } = await charge('approved')
    if (came.came !== 'answered') throw new Error(JSON.stringify(came))
    return came.answer.external_id
  }
  const refundOf = (external_id: string): RefundRequest => ({
    ...account,
    external_id,
    amount: '12.50',
    currency: 'USD',
    reason: 'Asked for',
  })
  const expectBooks = (charges: number, refunds = 0) => {
    if (setting.books) expect(setting.books()).to.deep.equal({ charges, refunds })
  }

  it('charges, answers the same for the key later, and charges once with it', async () => {
    const { request, key, came } = await charge('approved')
    if (came.came !== 'answered') throw new Error(JSON.stringify(came))
    expect(came.answer).to.include({ result: 'approved', reason: null })
    expect(came.answer.external_id).not.to.equal('')
    expect(await setting.gateway.charge.find(request, key, signal)).to.deep.equal(came)
    const again = await setting.gateway.charge.send(request, key, signal)
    if (again.came !== 'unknown') expect(again).to.deep.equal(came)
    expectBooks(1)
  })

  for (const [kind, reason] of [
    ['declined', 'card_declined'],
    ['insufficient', 'insufficient_funds'],
    ['authentication', 'authentication_required'],
  ] as const)
    it(`answers that a charge is declined: ${reason}`, async () => {
      const { request, key, came } = await charge(kind)
      if (came.came !== 'answered') throw new Error(JSON.stringify(came))
      expect(came.answer).to.include({ result: 'declined', reason })
      expect(await setting.gateway.charge.find(request, key, signal)).to.deep.equal(came)
      expectBooks(0)
    })

  it('has an unknown outcome when it does not answer after charging, and finds the charge later', async () => {
    const request = of(await method('timeout'))
    const key = randomUUID()
    await setting.behaves('timeout')
    expect((await sent(setting.gateway.charge, request, key)).came).to.equal('unknown')
    await setting.behaves('well')
    const found = await setting.gateway.charge.find(request, key, signal)
    expect(found.came === 'answered' && found.answer.result).to.equal('approved')
    expectBooks(1)
  })

  it('has a certain outcome when it is unreachable', async () => {
    const request = of(await method('down'))
    await setting.behaves('down')
    const { came } = await setting.gateway.charge.send(request, randomUUID(), signal)
    expect(came).to.equal('failed')
  })

  it('refunds once with a key, and finds the refund when queried', async () => {
    const request = refundOf(await charged())
    const key = randomUUID()
    const refunded = await setting.gateway.refund.send(request, key, signal)
    expect(refunded.came, JSON.stringify(refunded)).to.equal('answered')
    expect(await setting.gateway.refund.send(request, key, signal)).to.deep.equal(refunded)
    expect(await setting.gateway.refund.find(request, key, signal)).to.deep.equal(refunded)
    expectBooks(1, 1)
  })

  it('refuses what is of no charge or method that it has, and no token', async () => {
    const { gateway } = setting
    expect((await gateway.refund.send(refundOf('none'), randomUUID(), signal)).came).to.equal('refused')
    expect((await gateway.charge.send(of(setting.token('unknown')), randomUUID(), signal)).came).to.equal('refused')
    const request = { ...account, token: setting.token('unknown'), contact_id: 5, email_address: null }
    expect((await gateway.save.send(request, randomUUID(), signal)).came).to.equal('refused')
    expectBooks(0)
  })

  it('saves a method once with a key, and finds it when queried', async () => {
    const { save } = setting.gateway
    const request = { ...account, token: setting.token('approved'), contact_id: 5, email_address: null }
    const key = randomUUID()
    const saved = await save.send(request, key, signal)
    expect(saved.came, JSON.stringify(saved)).to.equal('answered')
    expect(await save.send(request, key, signal)).to.deep.equal(saved)
    expect(await save.find(request, key, signal)).to.deep.equal(saved)
  })

  describe('with the buyer present', () => {
    /** Charges a card whose bank asks. */
    const asked = async () => {
      const saving = { ...account, token: setting.token('asks'), contact_id: 5, email_address: null, charged: true }
      const saved = await setting.gateway.save.send(saving, randomUUID(), signal)
      if (saved.came !== 'answered') throw new Error(JSON.stringify(saved))
      const request = { ...of(saved.answer.payment_method_id), present: true }
      const key = randomUUID()
      const came = await setting.gateway.charge.send(request, key, signal)
      if (came.came !== 'answered') throw new Error(JSON.stringify(came))
      expect(came.answer).to.include({ result: 'action', reason: null })
      expect(came.answer.action).to.be.an('object')
      expect(await setting.gateway.charge.find(request, key, signal)).to.deep.equal(came)
      expectBooks(0)
      return came.answer.external_id
    }
    const confirmed = async (external_id: string, answer: string | null) => {
      const came = await setting.gateway.confirm.send({ ...account, external_id, answer }, randomUUID(), signal)
      return came.came === 'answered' && [came.answer.result, came.answer.external_id]
    }
    const released = async (external_id: string) => {
      const request = { ...refundOf(external_id), unconfirmed: true }
      const key = randomUUID()
      const sentAt = await setting.gateway.refund.send(request, key, signal)
      if (sentAt.came === 'answered')
        expect((await setting.gateway.refund.find(request, key, signal)).came).to.equal('answered')
      return sentAt.came
    }

    it('lets the bank ask, and charges once the buyer has answered', async () => {
      const id = await asked()
      setting.answersBank('approved')
      expect(await confirmed(id, 'approved')).to.deep.equal(['approved', id])
      expectBooks(1)
    })

    it('charges nothing where the buyer refuses, or has not answered, and never does afterwards', async () => {
      const open = await asked()
      expect(await confirmed(open, null)).to.deep.equal(['declined', open])
      setting.answersBank('refused')
      expect(await released(open)).to.equal('answered')
      expect(await confirmed(open, 'refused')).to.deep.equal(['declined', open])
      expectBooks(0)
    })

    it('gives back what the buyer has paid after all', async () => {
      const id = await asked()
      setting.answersBank('approved')
      expect(await released(id)).to.equal('answered')
      expectBooks(1, 1)
    })
  })
}
