import { expect } from 'chai'
import { decider } from '../../../domain/kernel/decide/decider.ts'
import { type ActContext, rules } from '../../../domain/kernel/decide/rules.ts'
import { managed } from '../../../domain/kernel/model/field.ts'
import { choice, integer } from '../../../domain/kernel/model/fields.ts'
import { model } from '../../../domain/kernel/model/model.ts'
import { type Adapter, adapterAt, port, type QueryResult } from '../../../domain/kernel/ports/calls.ts'
import { outboundCall, report } from '../../../domain/kernel/react/outbound-call.ts'
import { tryCall } from '../../../workers/calls/attempt.ts'
import { callReactions } from '../../../workers/calls/call.ts'
import type { TaskTurn } from '../../../workers/reactor/reaction.ts'
import { openSetting, soon } from '../reactor/setting.ts'
import { openShop } from './shop.ts'

const transfer = model('test/transfer', {
  attributes: {
    amount_cents: integer({ required: true }),
    status: managed(choice(['ordered', 'settled', 'failed'], { default: 'ordered' })),
  },
  events: {
    TransferOrdered: { creates: true },
    TransferSettled: { constants: { status: 'settled' } },
    TransferFailed: { constants: { status: 'failed' } },
  },
})

const turn: TaskTurn = {
  lane: '',
  write: () => expect.fail('a call does not look at whole writes'),
  stopping: () => false,
  advanced: async () => undefined,
  cursor: () => null,
  saveCursor: async () => undefined,
}

const DAY = 24 * 60 * 60 * 1000

type Transfer = ActContext<typeof transfer>

const { event: happens } = transfer

const transfers = decider(transfer, {
  rules: rules(transfer, {
    acts: {
      settle: ({ before }: Transfer) => (before.status === 'ordered' ? [happens.TransferSettled()] : []),
      fail: ({ before }: Transfer) => (before.status === 'ordered' ? [happens.TransferFailed()] : []),
    },
  }),
})

type Said = { readonly status: 'pending' | 'settled' }

const bank = port<{ readonly amount_cents: number }, Said>('bank')

/** A transfer whose bank answers at once that it has started. Its outcome must be queried. */
const ordered = outboundCall(transfer, {
  name: 'test/transfer.order',
  process: transfers,
  port: bank,
  onUnknown: 'query',
  timeoutMs: 1000,
  on: ['TransferOrdered'],
  request: ({ status, amount_cents }) => (status === 'ordered' ? { amount_cents } : undefined),
  outcome(_, result, attempt) {
    if (result.came === 'answered' && result.answer.status === 'settled') return report('settle')
    return result.came === 'refused' || attempt > 5 ? report('fail') : { againAfterMs: 1 }
  },
})

describe('a call that is declared by itself', () => {
  let setting: Awaited<ReturnType<typeof openSetting>>

  beforeEach(async () => {
    setting = await openSetting()
  })

  afterEach(() => setting.cleanup())

  const ends = async (adapter: Adapter<{ readonly amount_cents: number }, Said>, event: string, now = Date.now) => {
    const shop = openShop(setting.log)
    const ids = { next: () => 1, refill: async () => undefined }
    const adapters = new Map([adapterAt(bank, adapter)])
    const parts = { adapters, engine: shop.engine, log: setting.log, ids, now }
    await setting.start(callReactions(parts, [ordered]))
    await shop.ask(transfers, 1, 'create', { amount_cents: 500 })
    await soon(async () => {
      for await (const { type } of setting.log.readStream('test/transfer-1')) if (type === event) return true
      return false
    })
  }

  it('keeps querying under one key while the answer is not final', async () => {
    const keys: string[] = []
    const sent: number[] = []
    await ends(
      {
        async send({ amount_cents }, key) {
          sent.push(amount_cents)
          keys.push(key)
          return { came: 'answered', answer: { status: 'pending' } }
        },
        async find(_, key) {
          keys.push(key)
          return { came: 'answered', answer: { status: keys.length < 3 ? 'pending' : 'settled' } }
        },
      },
      'TransferSettled',
    )
    expect(sent).to.deep.equal([500])
    expect(keys).to.have.length(3)
    expect(new Set(keys).size).to.equal(1)
  })

  for (const [clock, ms] of [
    ['a month later', 30 * DAY],
    ['a month earlier, by a clock that was set back', -30 * DAY],
  ] as const)
    it(`is not sent unasked when the store of the reactor knows nothing of it: ${clock}`, async () => {
      const answer = { came: 'answered', answer: { status: 'settled' } } as const
      const asked: string[] = []
      const told = (what: string) => async () => {
        asked.push(what)
        return answer
      }
      await ends({ send: told('send'), find: told('find') }, 'TransferSettled', () => Date.now() + ms)
      expect(asked).to.deep.equal(['find'])
    })

  it('is asked about before it is given up, when nothing is known of an earlier attempt', async () => {
    const tried = (found: QueryResult<Said>) => {
      const adapter = { find: async () => found, send: () => Promise.reject(new Error('it was sent')) } as Adapter
      const [isCalledOff, kept] = [() => true, { attempts: 0, stands: 'clear', due: 0 } as const]
      return tryCall({ calling: ordered, adapter, request: {}, key: 'k', isCalledOff, kept }, turn)
    }
    const answered = { came: 'answered', answer: { status: 'settled' } } as const
    expect(await tried(answered)).to.deep.equal(answered)
    expect(await tried({ came: 'never' })).to.deep.equal({ came: 'calledOff' })
  })

  it('reports a decline to its process, also a late one', async () => {
    await ends(
      {
        send: async () => {
          throw new Error('the connection was lost')
        },
        find: async () => ({ came: 'refused', reason: 'the account is closed' }),
      },
      'TransferFailed',
    )
  })
})
