import { expect } from 'chai'
import type { Adapter } from '../../../domain/kernel/ports/calls.ts'
import { openSetting, soon } from '../reactor/setting.ts'
import { type Behaviour, type Gateway, openGateway } from './gateway.ts'
import { TRIES, WITHIN_MS } from './purchase.ts'
import { adaptersOf, openShop, packing, type Shop } from './shop.ts'

type Ground = Awaited<ReturnType<typeof openSetting>>

const never: Adapter<unknown, { readonly parcel: string }> = { send: () => new Promise(() => undefined) }
const busy = { came: 'failed', reason: 'nobody is in' } as const

describe('calls of a process to the outside', () => {
  let setting: Ground
  let gateway: Gateway
  let shop: Shop

  beforeEach(async () => {
    setting = await openSetting()
    gateway = await openGateway()
    shop = openShop(setting.log)
  })

  afterEach(async () => {
    await setting.cleanup()
    await gateway.close()
  })

  const start = async (packer: Adapter<{ readonly item_id: number }, { readonly parcel: string }> = packing()) =>
    setting.start(shop.reactions(adaptersOf(gateway, packer)))

  const ended = async (id: number) => {
    await soon(async () => (await shop.stands(id)).step === null, 10_000)
    return shop.stands(id)
  }

  /** Outcome of a purchase when the gateway treats its requests in these manners. */
  const bought = async (...manners: Behaviour[]) => {
    gateway.next(...manners)
    await start()
    return ended(await shop.buy())
  }

  it('does each step once, and saves the answers', async () => {
    const { status, done, charge_id, parcel, left } = await bought()
    expect({ status, done, left }).to.deep.equal({ status: 'completed', done: ['reserve', 'charge', 'ship'], left: 0 })
    expect(charge_id).to.equal(gateway.charges[0]?.id)
    expect(parcel).to.match(/^[0-9a-f-]{36}$/)
    expect(gateway.asked).to.deep.equal(['charge'])
  })

  it('queries a charge that timed out after it was made, and does not repeat it', async () => {
    const { status } = await bought('acts and hangs')
    expect(status).to.equal('completed')
    expect(gateway.asked).to.deep.equal(['charge', 'find'])
    expect(gateway.charges).to.have.length(1)
  })

  it('repeats an unanswered query, and finds a charge whose connection was cut', async () => {
    const { status } = await bought('acts and cuts', 'hangs', 'is busy')
    expect(status).to.equal('completed')
    expect(gateway.asked).to.deep.equal(['charge', 'find', 'find', 'find'])
    expect(gateway.charges).to.have.length(1)
  })

  it('repeats a charge with its key when it never arrived', async () => {
    const { status } = await bought('hangs')
    expect(status).to.equal('completed')
    expect(gateway.asked).to.deep.equal(['charge', 'find', 'charge'])
    expect(gateway.charges).to.have.length(1)
  })

  it('sends no query about a request that was certainly not executed', async () => {
    expect((await bought('is busy', 'is busy')).status).to.equal('completed')
    expect(gateway.asked).to.deep.equal(['charge', 'charge', 'charge'])
  })

  it('accepts an answer that is slow but in time', async () => {
    expect((await bought('is slow')).status).to.equal('completed')
    expect(gateway.asked).to.deep.equal(['charge'])
  })

  it('compensates the completed steps when a charge is declined', async () => {
    const { status, done, because, left } = await bought('declines')
    expect({ status, done, because, left }).to.deep.equal({
      status: 'undone',
      done: [],
      because: 'the card is declined',
      left: 1,
    })
    expect(gateway.charges).to.deep.equal([])
  })

  it('ends at once where a command for another stream is refused', async () => {
    await start()
    const { status, because } = await ended(await shop.buy({ left: 0 }))
    expect({ status, because }).to.deep.equal({ status: 'undone', because: 'It is sold out' })
    expect(gateway.asked).to.deep.equal([])
  })

  it('refunds a charge when a later step fails; when in doubt, again with the same key', async () => {
    gateway.next('answers', 'acts and hangs')
    await start(packing({ came: 'refused', reason: 'it does not fit' }))
    const { status, because, left } = await ended(await shop.buy())
    expect({ status, because, left }).to.deep.equal({ status: 'undone', because: 'it does not fit', left: 1 })
    expect(gateway.asked).to.deep.equal(['charge', 'refund', 'refund'])
    expect(gateway.charges.map(({ refunded }) => refunded)).to.deep.equal([true])
  })

  it('is cancelled at its deadline: unknown outcomes are queried first, and compensated', async () => {
    gateway.next('acts and hangs', 'hangs', 'hangs')
    await start()
    const id = await shop.buy({ at: Date.now() - WITHIN_MS + 100 })
    const { status, because, left } = await ended(id)
    expect({ status, because, left }).to.deep.equal({ status: 'undone', because: 'it took too long', left: 1 })
    expect(gateway.charges.map(({ refunded }) => refunded)).to.deep.equal([true])
  })

  it('does not send requests any more that were certainly not executed when it is cancelled', async () => {
    await start(packing(busy, busy))
    const id = await shop.buy()
    await soon(async () => (await shop.stands(id)).step === 'ship')
    await shop.tell(id, 'callOff', { reason: 'Ann thinks better of it' })
    const { status, because } = await ended(id)
    expect({ status, because }).to.deep.equal({ status: 'undone', because: 'Ann thinks better of it' })
    expect(gateway.charges.map(({ refunded }) => refunded)).to.deep.equal([true])
  })

  it('gets stuck when the outcome stays unknown, and continues with a query when it is resumed', async () => {
    gateway.next('acts and hangs', ...Array<Behaviour>(TRIES - 1).fill('hangs'))
    await start()
    const id = await shop.buy()
    await soon(async () => (await shop.stands(id)).stuck !== null)
    expect((await shop.stands(id)).stuck).to.match(/^no answer within/)
    await shop.tell(id, 'resume')
    expect((await ended(id)).status).to.equal('completed')
    expect(gateway.asked).to.deep.equal(['charge', ...Array(TRIES).fill('find')])
    expect(gateway.charges).to.have.length(1)
  })

  it('moves once when an outcome is reported twice: by the answer, and by another source', async () => {
    gateway.next('is slow')
    await start()
    const id = await shop.buy()
    await soon(() => gateway.charges.length === 1)
    await shop.tell(id, 'settle', { step: 'charge', way: 'going', keeps: { charge_id: gateway.charges[0]!.id } })
    expect((await ended(id)).status).to.equal('completed')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await shop.story(id)).map(({ type }) => type)).to.deep.equal([
      'PurchaseBegun',
      'PurchaseMoved',
      'PurchaseMoved',
      'PurchaseCompleted',
    ])
  })

  for (const [workspaces, most] of [
    [1, 8],
    [4, 16],
  ] as const) {
    it(`makes ${most} calls at a time at one port at most, for ${workspaces} workspaces`, async () => {
      let calling = 0
      let mostSeen = 0
      const ids: number[] = []
      for (let n = 0; n < 40; n++) ids.push(await shop.buy({ workspaceId: 1 + (n % workspaces) }))
      await start({
        async send(_, key) {
          mostSeen = Math.max(mostSeen, ++calling)
          await soon(() => mostSeen >= most, 180).catch(() => undefined)
          await new Promise((resolve) => setTimeout(resolve, 20))
          calling--
          return { came: 'answered', answer: { parcel: key } }
        },
      })
      for (const id of ids) expect((await ended(id)).status).to.equal('completed')
      expect(mostSeen).to.equal(most)
    })
  }

  it('does not wait for a call that never ends and ignores its signal', async () => {
    await start(never)
    const id = await shop.buy()
    await soon(async () => (await shop.stands(id)).stuck !== null)
    expect((await shop.stands(id)).step).to.equal('ship')
  })

  it('does not start when a port has no adapter, or an adapter lacks a needed query', () => {
    expect(() => shop.reactions(new Map())).to.throw('nobody answers at payment/charge')
    const { send } = gateway.charge
    const mute = { charge: { send }, refund: gateway.refund }
    expect(() => shop.reactions(adaptersOf(mute, packing()))).to.throw('payment/charge cannot be asked')
  })
})
