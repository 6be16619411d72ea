import { expect } from 'chai'
import { ask as asks } from '../../../domain/kernel/decide/ask.ts'
import type { OutboundCall } from '../../../domain/kernel/react/outbound-call.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { process } from '../../../domain/resources/process/index.ts'
import { call, command, wait } from '../../../domain/resources/process/steps.ts'
import { ask, given } from '../../support/decider.ts'
import { charges, purchase, purchases, stocks } from './purchase.ts'

const CLEAR = { part: 0, because: null, stuck: null, doubted: false }

const begun: DomainEvent = {
  type: 'PurchaseBegun',
  data: {
    item_id: 3,
    amount_cents: 1200,
    charge_id: null,
    parcel: null,
    status: 'going',
    step: 'reserve',
    done: [],
    failed: null,
    ...CLEAR,
    personal: { customer: 'Ann' },
  },
}

const charged = call(purchase, {
  port: charges,
  onUnknown: 'query',
  timeoutMs: 1,
  request: ({ amount_cents, customer }) => ({ amount_cents, customer }),
})

/** Event that moves a process to this status and step. */
const moved = (status: string, step: string | null, done: readonly string[], more: object = {}): DomainEvent => ({
  type: status === 'completed' ? 'PurchaseCompleted' : status === 'undone' ? 'PurchaseUndone' : 'PurchaseMoved',
  data: { ...CLEAR, status, step, done, ...more },
})

/** The same event with the step that failed. */
const failedAt = (failed: string, { type, data }: DomainEvent): DomainEvent => ({ type, data: { ...data, failed } })

const charging = moved('going', 'charge', ['reserve'])
const shipping = moved('going', 'ship', ['reserve', 'charge'], { charge_id: 'c1' })
const stuck: DomainEvent = { type: 'PurchaseStuck', data: { stuck: 'no answer' } }
const calledOff: DomainEvent = { type: 'PurchaseCalledOff', data: { because: 'it took too long' } }

const going = (act: string, step: string, more: object = {}) => ask(act, { step, way: 'going', ...more })
const undoing = (act: string, step: string, more: object = {}) => ask(act, { step, way: 'undoing', ...more })

describe('a process', () => {
  const of = purchases.decider

  it('begins with its first step', () => {
    given(of)
      .when(ask('create', { item_id: 3, amount_cents: 1200, customer: 'Ann' }))
      .then(begun)
  })

  it('does not compensate a step that was done and had no effect', () => {
    const { decider } = process(purchase, {
      withinMs: 1,
      steps: [
        { name: 'charge', invoke: charged, compensate: charged, hasEffect: ({ charge_id }) => charge_id !== null },
        { name: 'ship', invoke: charged },
      ],
    })
    const before = [{ ...begun, data: { ...begun.data, step: 'charge' } }, calledOff]
    const { because } = calledOff.data
    for (const charge_id of [null, 'c1'])
      given(decider, ...before)
        .when(going('settle', 'charge', { keeps: { charge_id } }))
        .then(
          charge_id === null
            ? moved('undone', null, ['charge'], { charge_id, because })
            : moved('undoing', 'charge', ['charge'], { charge_id, because }),
        )
  })

  it('goes from step to step, saves their results, and ends with the last', () => {
    given(of, begun).when(going('settle', 'reserve')).then(charging)
    given(of, begun, charging)
      .when(going('settle', 'charge', { keeps: { charge_id: 'c1' } }))
      .then(shipping)
    given(of, begun, charging, shipping)
      .when(going('settle', 'ship'))
      .then(moved('completed', null, ['reserve', 'charge', 'ship']))
  })

  it('ignores results of a step that is not running, also during compensation', () => {
    given(of, begun, charging).when(going('settle', 'reserve')).thenNothing()
    given(of, begun, charging).when(going('fail', 'ship')).thenNothing()
    given(of, begun, charging).when(undoing('settle', 'charge')).thenNothing()
    const undone = moved('undoing', 'charge', ['reserve', 'charge'], { because: 'no' })
    given(of, begun, charging, shipping, undone).when(going('settle', 'charge')).thenNothing()
    given(of, begun, charging, shipping, undone).when(undoing('fail', 'charge')).thenNothing()
  })

  it('compensates the completed steps when one fails, the last first', () => {
    const because = 'it does not fit'
    const back = moved('undoing', 'charge', ['reserve', 'charge'], { because })
    const further = moved('undoing', 'reserve', ['reserve'], { because })
    given(of, begun, charging, shipping)
      .when(going('fail', 'ship', { reason: because }))
      .then(failedAt('ship', back))
    given(of, begun, charging, shipping, back).when(undoing('settle', 'charge')).then(further)
    given(of, begun, charging, shipping, back, further)
      .when(undoing('settle', 'reserve'))
      .then(moved('undone', null, [], { because }))
  })

  it('ends at once when no step was completed', () => {
    const because = 'It is sold out'
    given(of, begun)
      .when(going('fail', 'reserve', { reason: because }))
      .then(moved('undone', null, [], { because, failed: 'reserve' }))
  })

  it('compensates when cancelled, after the running step is settled', () => {
    const because = 'it took too long'
    const on = given(of, begun, charging, calledOff)
    given(of, begun, charging)
      .when(ask('callOff', { reason: because }))
      .then(calledOff)
    on.when(ask('callOff', { reason: 'again' })).thenNothing()
    on.when(going('settle', 'charge', { keeps: { charge_id: 'c1' } })).then(
      moved('undoing', 'charge', ['reserve', 'charge'], { charge_id: 'c1', because }),
    )
    on.when(going('fail', 'charge', { reason: 'it was called off' })).then(
      moved('undoing', 'reserve', ['reserve'], { because, failed: 'charge' }),
    )
  })

  it('is completed although it was cancelled during its last step, and accepts no command afterwards', () => {
    const end = moved('completed', null, ['reserve', 'charge', 'ship'])
    given(of, begun, charging, shipping, calledOff).when(going('settle', 'ship')).then(end)
    const over = given(of, begun, charging, shipping, end)
    over.when(ask('callOff', { reason: 'too late' })).thenNothing()
    over.when(ask('resume')).thenNothing()
  })

  it('gets stuck once, and continues when it is resumed or its outcome becomes known', () => {
    const doubt = going('doubt', 'charge', { reason: 'no answer' })
    given(of, begun, charging).when(doubt).then(stuck)
    given(of, begun, charging, stuck).when(doubt).thenNothing()
    given(of, begun, charging).when(ask('resume')).thenNothing()
    given(of, begun, charging, stuck)
      .when(ask('resume'))
      .then({ type: 'PurchaseResumed', data: { status: 'going', step: 'charge' } })
    given(of, begun, charging, stuck)
      .when(going('settle', 'charge', { keeps: { charge_id: 'c1' } }))
      .then(shipping)
  })

  it('waits for somebody outside, goes on when they report, and is compensated at once when it is cancelled meanwhile', () => {
    const { decider, waits } = process(purchase, {
      withinMs: 1000,
      steps: [
        { name: 'charge', invoke: charged, compensate: charged },
        { name: 'bank', invoke: wait(purchase, { withinMs: 500 }), repeat: ({ charge_id }) => (charge_id ? 1 : 0) },
        { name: 'ship', invoke: charged },
      ],
    })
    const first = { ...begun, data: { ...begun.data, step: 'charge' } }
    const keeps = { charge_id: 'asks' }
    const waiting = moved('going', 'bank', ['charge'], keeps)
    given(decider, first)
      .when(going('settle', 'charge', { keeps }))
      .then(waiting)
    given(decider, first)
      .when(going('settle', 'charge', { keeps: { charge_id: null } }))
      .then(moved('going', 'ship', ['charge'], { charge_id: null }))
    given(decider, first, waiting)
      .when(going('settle', 'bank'))
      .then(moved('going', 'ship', ['charge', 'bank']))
    const because = 'it took too long'
    given(decider, first, waiting)
      .when(ask('callOff', { reason: because }))
      .then(moved('undoing', 'charge', ['charge'], { because, failed: 'bank' }))
    expect(waits.map(({ step, withinMs, over }) => [step, withinMs, over()])).to.deep.equal([
      ['bank', 500, { act: 'settle', wanted: { step: 'bank', part: 0, way: 'going', keeps: {} } }],
    ])
  })

  it('makes no step when it is changed', () => {
    given(of, begun, charging)
      .when(ask('change', { amount_cents: 1300 }))
      .then({ type: 'PurchaseMoved', data: { amount_cents: 1300 } })
  })

  it('does not seal the results of steps, so that they must contain no personal data', () => {
    const keeping = going('settle', 'reserve', { keeps: { customer: 'Bob' } })
    expect(() => given(of, begun).when(keeping)).to.throw('a step of test/purchase keeps customer, which is personal')
  })

  it('is retried for two minutes when a step was certainly not executed, otherwise for a day', () => {
    const [there, back] = process(purchase, {
      withinMs: 1,
      steps: [{ name: 'charge', invoke: charged, compensate: charged }],
    }).calls
    /** Milliseconds from the first attempt to the last, and the final result. */
    const patience = (call: OutboundCall | undefined, came: 'failed' | 'unknown') => {
      let total = 0
      for (let attempt = 1; ; attempt++) {
        const next = call!.outcome({}, { came, reason: 'why' }, attempt)
        if ('act' in next) return { told: next, minutes: Math.round(total / 60_000) }
        total += next.againAfterMs
      }
    }
    const way = { step: 'charge', part: 0, way: 'going', reason: 'why' }
    expect(patience(there, 'failed')).to.deep.equal({ told: { act: 'fail', wanted: way }, minutes: 2 })
    const doubt = { told: { act: 'doubt', wanted: way }, minutes: 1407 }
    expect(patience(there, 'unknown')).to.deep.equal(doubt)
    const stuckBack = { ...doubt, told: { act: 'doubt', wanted: { ...way, way: 'undoing' } } }
    expect(patience(back, 'failed')).to.deep.equal(stuckBack)
    expect(patience(back, 'unknown')).to.deep.equal(stuckBack)
  })

  it('has no two steps of one name', () => {
    const step = { name: 'charge', invoke: charged }
    expect(() => process(purchase, { withinMs: 1, steps: [step, step] })).to.throw('two steps named charge')
  })

  describe('with a repeated step, and an optional one', () => {
    const tell = (act: 'reserve' | 'release') =>
      command(purchase, {
        command: ({ item_id: id }) => asks(stocks, id, act, {}),
        saveResult: (id, { parcel }) => ({ parcel: `${parcel ?? ''}${id}` }),
      })
    const { decider: of, commands } = process(purchase, {
      withinMs: 1000,
      steps: [
        { name: 'none', invoke: tell('reserve'), repeat: () => 0 },
        { name: 'reserve', invoke: tell('reserve'), compensate: tell('release'), repeat: ({ item_id }) => item_id },
        { name: 'charge', invoke: charged },
      ],
    })
    const at = (status: string, step: string | null, part: number, done: readonly string[], more: object = {}) =>
      moved(status, step, done, { part, ...more })
    const settles = (step: string, part: number, way = 'going') => ask('settle', { step, part, way, keeps: {} })
    const second = at('going', 'reserve', 1, [])
    const third = at('going', 'reserve', 2, [])
    const because = { because: 'sold out' }

    it('does one part after the other, and then what comes next', () => {
      given(of, begun).when(settles('reserve', 0)).then(second)
      given(of, begun, second).when(settles('reserve', 1)).then(third)
      given(of, begun, second, third)
        .when(settles('reserve', 2))
        .then(at('going', 'charge', 0, ['reserve']))
    })

    it('accepts the result of a part once', () => {
      given(of, begun, second).when(settles('reserve', 0)).thenNothing()
    })

    it('undoes the parts that are done, the last first, when one fails', () => {
      const fails = ask('fail', { step: 'reserve', part: 2, way: 'going', reason: 'sold out' })
      const back = at('undoing', 'reserve', 1, [], because)
      given(of, begun, second, third).when(fails).then(failedAt('reserve', back))
      const first = at('undoing', 'reserve', 0, [], because)
      given(of, begun, second, third, back)
        .when(settles('reserve', 1, 'undoing'))
        .then(first)
      const end = at('undone', null, 0, [], because)
      given(of, begun, second, third, back, first)
        .when(settles('reserve', 0, 'undoing'))
        .then(end)
    })

    it('undoes all parts of a step that is done', () => {
      const charging = at('going', 'charge', 0, ['reserve'])
      const fails = ask('fail', { step: 'charge', way: 'going', reason: 'sold out' })
      given(of, begun, second, third, charging)
        .when(fails)
        .then(at('undoing', 'reserve', 2, ['reserve'], { ...because, failed: 'charge' }))
    })

    it('compensates the running part when cancelled within a step', () => {
      given(of, begun, second, calledOff)
        .when(settles('reserve', 1))
        .then(at('undoing', 'reserve', 1, [], { because: 'it took too long' }))
    })

    it('says which part a command is for, and keeps what comes of each', () => {
      const telling = commands.find(({ name }) => name === 'test/purchase.reserve')!
      const record = { ...second.data, parcel: '7,' } as never
      expect(telling.nth!(record)).to.equal(1)
      expect(telling.outcome({ came: 'answered', answer: 8 }, record).wanted).to.deep.include({
        ...{ step: 'reserve', part: 1, keeps: { parcel: '7,8' } },
      })
    })
  })
})
