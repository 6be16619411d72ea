import { expect } from 'chai'
import type { Append, Appended } from '../../../domain/kernel/ports/event-log.ts'
import { numberPlaceholder } from '../../../domain/kernel/values/sequence-numbers.ts'
import { collect, event, fresh, type Setting, taken } from './setting.ts'

const IN_FLIGHT = 64
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

export function counting(setting: Setting): void {
  const order = (counter: string) => event({ order_number: numberPlaceholder(counter), name: 'x' })

  it('counts up from 1, and gives no number twice', async () => {
    const { counters } = setting().log
    const name = fresh('kind')
    const firsts = await Promise.all(upTo(IN_FLIGHT).map(() => counters.take(name, 3)))
    expect(firsts.sort((a, b) => a - b)).to.deep.equal(upTo(IN_FLIGHT).map((n) => 3 * n - 2))
  })

  it('can be raised, and never goes back', async () => {
    const { log } = setting()
    const name = fresh('kind')
    await log.counters.raise(name, 41)
    await log.counters.raise(name, 7)
    expect(await log.counters.take(name, 1)).to.equal(42)
    const all = new Map((await collect(log.counters.all())).map(({ counter, value }) => [counter, value]))
    expect(all.get(name)).to.equal(42)
  })

  it('numbers what is appended: never twice, and without gaps although some is refused', async () => {
    const { log } = setting()
    const [counter, key] = [fresh('order_number'), fresh('held')]
    const holder = fresh('holder')
    taken(await log.append({ stream: holder, expected: -1, events: [event()], take: [{ key }] }))
    const streams = upTo(IN_FLIGHT).map(() => fresh('order'))
    const results = await Promise.all(
      streams.map((stream, n) =>
        log.append({
          stream,
          expected: -1,
          events: [order(counter)],
          numbers: [counter],
          ...(n % 4 === 0 && { take: [{ key }] }),
        }),
      ),
    )
    const kept = results.flatMap((result) => (result.ok ? [result.numbers?.[counter]] : []))
    const rest = await log.append({
      stream: fresh('order'),
      expected: -1,
      events: [order(counter)],
      numbers: [counter],
    })
    const numbers = [...kept, rest.ok ? rest.numbers?.[counter] : undefined].map(Number).sort((a, b) => a - b)
    expect(new Set(numbers).size).to.equal(numbers.length)
    // A returned number goes to the next request, so at most the numbers of the last refusals are missing.
    expect(numbers.at(-1)).to.be.at.most(IN_FLIGHT)
    const [stored] = await collect(log.readStream(streams[1]!))
    expect(stored?.data).to.deep.equal({ order_number: kept[0], name: 'x' })
  })

  const numberedIn = (counter: string, stream = fresh('order')): Append => ({
    stream,
    expected: 'any',
    events: [order(counter)],
    numbers: [counter],
    take: [{ key: `${counter}:`, counter }],
    repeatable: true,
  })
  const numberIn = (appended: Appended, counter: string) => appended.ok && appended.numbers?.[counter]

  it('passes over numbers whose keys are held, also by the same stream, and claims those that it gives', async () => {
    const { log } = setting()
    const [counter, stream] = [fresh('order_number'), fresh('order')]
    taken(await log.append({ stream, expected: -1, events: [event()], take: [{ key: `${counter}:1` }] }))
    taken(
      await log.append({ stream: fresh('other'), expected: -1, events: [event()], take: [{ key: `${counter}:3` }] }),
    )
    expect(numberIn(await log.append(numberedIn(counter, stream)), counter)).to.equal(2)
    const last = numberedIn(counter)
    expect(numberIn(await log.append(last), counter)).to.equal(4)
    expect((await log.claimed(`${counter}:4`))?.stream).to.equal(last.stream)
    expect(await log.claimed(`${counter}:`)).to.equal(undefined)
    const late = await log.append({
      stream: fresh('late'),
      expected: -1,
      events: [event()],
      take: [{ key: `${counter}:4` }],
    })
    expect(late.ok === false && late.conflict === 'claim' && late.claim.stream).to.equal(last.stream)
  })

  it('gives no number that is claimed at the same moment, and a repeated append the number of the first time', async () => {
    const { log } = setting()
    const counter = fresh('order_number')
    const byHand = (n: number): Append => ({
      stream: fresh('by-hand'),
      expected: -1,
      events: [event()],
      take: [{ key: `${counter}:${n}` }],
    })
    const requests = upTo(IN_FLIGHT).map((n) => (n % 4 === 0 ? byHand(n) : numberedIn(counter)))
    const results = await Promise.all(requests.map((request) => log.append(request)))
    const numbers = results.flatMap((result, index) => {
      if (!result.ok) return []
      return requests[index]!.numbers ? [Number(numberIn(result, counter))] : [index + 1]
    })
    expect(new Set(numbers).size).to.equal(numbers.length)
    expect(results.filter(({ ok }, index) => !ok && requests[index]!.numbers)).to.deep.equal([])
    const again = await log.append(requests[0]!)
    expect(again.ok && again.repeated).to.equal(true)
    const [stored, ...more] = await collect(log.readStream(requests[0]!.stream))
    expect([stored?.data.order_number, more]).to.deep.equal([numbers[0], []])
  })

  it('takes no second number for a repeated append', async () => {
    const { log } = setting()
    const [counter, stream] = [fresh('order_number'), fresh('order')]
    const request = { stream, expected: 'any', events: [order(counter)], numbers: [counter], repeatable: true } as const
    const first = await log.append(request)
    const second = await log.append(request)
    expect([first.ok && first.numbers?.[counter], second.ok && second.repeated]).to.deep.equal([1, true])
    const next = await log.append({
      stream: fresh('order'),
      expected: -1,
      events: [order(counter)],
      numbers: [counter],
    })
    expect(next.ok && next.numbers?.[counter]).to.equal(2)
  })
}
