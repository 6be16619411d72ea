import { expect } from 'chai'
import { createFieldMount } from '../../sdk/checkout/field-mount.ts'
import { FIELD_STATES, type FieldState, PATIENCE, refusalIn } from '../../sdk/checkout/field-states.ts'
import type { FieldListener, GatewayField } from '../../sdk/checkout/gateways/gateway.ts'
import type { Core } from '../../sdk/checkout-port.ts'
import { settled } from './support/core.ts'

/** A promise that a test settles. */
const deferred = () => {
  let [resolve, reject] = [() => {}, () => {}]
  const promise = new Promise<void>((done, failed) => {
    resolve = done
    reject = () => failed(new Error('blocked'))
  })
  return { promise, resolve: () => resolve(), reject: () => reject() }
}

/** A mount over a gateway that does what the test says, in a time that passes as it says. */
const begin = async () => {
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>()
  let now = 0
  let count = 0
  const window = {
    setTimeout: (run: () => void, wait: number) => {
      count += 1
      timers.set(count, { at: now + wait, run })
      return count
    },
    clearTimeout: (id: number) => void timers.delete(id),
  }
  const warnings: string[] = []
  const core = { host: { window }, warn: (text: string) => void warnings.push(text) } as unknown as Core
  const arrives = deferred()
  const loads: ReturnType<typeof deferred>[] = []
  const told: FieldListener[] = []
  const field = {
    script: {
      arrives: arrives.promise,
      read: () => undefined,
      load: () => {
        const load = deferred()
        loads.push(load)
        return load.promise
      },
    },
    mount: (_place: unknown, tell: FieldListener) => void told.push(tell),
    unmount: () => undefined,
  } as unknown as GatewayField
  const states: FieldState[] = []
  const mount = createFieldMount({
    core,
    fieldOf: async () => field,
    place: {} as HTMLElement,
    show: (state) => void states.push(state),
  })
  mount.begin()
  await settled()
  return {
    ...{ mount, states, warnings, field, arrives, loads, told },
    async pass(milliseconds: number) {
      now += milliseconds
      for (const [id, { at, run }] of timers) if (at <= now && timers.delete(id)) run()
      await settled()
    },
    async does(act: () => void) {
      act()
      await settled()
    },
  }
}

describe('states of the payment field', () => {
  const all = Object.entries(FIELD_STATES) as [FieldState, (typeof FIELD_STATES)[FieldState]][]
  /** States in which nothing is wrong and nothing is waited for: the field is there, or nobody needs it. */
  const settledStates = new Set<FieldState>(['absent', 'unpriced', 'ready'])

  it('have a word, unless all is well, and a way on where something is wrong', () => {
    for (const [name, { status, errors, overdue, onPay }] of all) {
      expect(status !== '' || errors.length > 0, name).to.equal(!settledStates.has(name))
      expect(onPay === 'take', name).to.equal(name === 'ready')
      if (onPay === 'refuse') expect(errors.length + refusalIn(name).length, name).to.be.greaterThan(0)
      if (overdue) expect(FIELD_STATES[overdue].errors, name).to.not.deep.equal([])
    }
  })

  it('pass from loading to ready', async () => {
    const { states, does, arrives, told } = await begin()
    await does(arrives.resolve)
    told[0]?.mounted()
    told[0]?.ready()
    expect(states).to.deep.equal(['loading', 'unpriced', 'mounted', 'ready'])
  })

  it('say that it is late at 10 s, and end with what is late', async () => {
    const { states, does, pass, arrives, told } = await begin()
    await pass(PATIENCE - 1)
    expect(states).to.deep.equal(['loading'])
    await pass(1)
    await does(arrives.resolve)
    told[0]?.mounted()
    await pass(PATIENCE)
    told[0]?.ready()
    await pass(10 * PATIENCE)
    expect(states).to.deep.equal(['loading', 'late', 'unpriced', 'mounted', 'unready', 'ready'])
  })

  it('end what is blocked when the script comes after all, by whoever else asked for it', async () => {
    const { states, does, arrives, loads } = await begin()
    await does(() => loads[0]?.reject())
    await does(arrives.resolve)
    expect(states).to.deep.equal(['loading', 'blocked', 'unpriced'])
  })

  it('begin anew when it is tried again, and nothing that was told of before counts', async () => {
    const { mount, states, does, arrives, told, warnings } = await begin()
    await does(arrives.resolve)
    told[0]?.mounted()
    told[0]?.failed('down')
    mount.begin()
    await settled()
    told[0]?.ready()
    told[1]?.mounted()
    told[0]?.failed('down again')
    told[1]?.ready()
    expect(states.slice(2)).to.deep.equal(['mounted', 'failed', 'loading', 'unpriced', 'mounted', 'ready'])
    expect(warnings).to.deep.equal(['The payment form failed: down'])
  })

  it('end with the place, whatever comes then', async () => {
    const { mount, states, does, pass, arrives } = await begin()
    mount.end()
    await does(arrives.resolve)
    await pass(2 * PATIENCE)
    expect(states).to.deep.equal(['loading', 'absent'])
  })

  it('let who pays wait until it is known whether they can', async () => {
    const { mount, does, pass, arrives, told } = await begin()
    let decided = 0
    const press = () => void mount.decided().then(() => (decided += 1))
    await does(press)
    await does(arrives.resolve)
    told[0]?.mounted()
    await settled()
    expect(decided).to.equal(0)
    await pass(PATIENCE)
    expect([decided, mount.state()]).to.deep.equal([1, 'unready'])
    await does(press)
    expect([decided, mount.state()]).to.deep.equal([2, 'unready'])
  })

  it('try again what is blocked when somebody pays', async () => {
    const { mount, does, arrives, loads, told, field } = await begin()
    await does(() => loads[0]?.reject())
    expect(mount.ready()).to.equal(undefined)
    const decided = mount.decided()
    await settled()
    expect([loads.length, mount.state()]).to.deep.equal([2, 'loading'])
    await does(arrives.resolve)
    told[0]?.ready()
    await decided
    expect(mount.ready()).to.equal(field)
  })
})
