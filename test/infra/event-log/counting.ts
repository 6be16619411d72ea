import { expect } from 'chai'
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
