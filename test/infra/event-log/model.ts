import { expect } from 'chai'
import fc from 'fast-check'
import type { Append, Appended, EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { NewEvent } from '../../../domain/kernel/values/event.ts'
import { collect, event, fresh, type Setting } from './setting.ts'

const STREAMS = 3
const KEYS = 4

/** One random step. It chooses among few streams and keys, so that steps often conflict. */
const step = fc.record({
  stream: fc.nat(STREAMS - 1),
  expected: fc.constantFrom('any', 'none', 'head', 'behind'),
  events: fc.nat(3),
  take: fc.uniqueArray(fc.nat(KEYS - 1), { maxLength: 2 }),
  release: fc.uniqueArray(fc.nat(KEYS - 1), { maxLength: 2 }),
  repeatable: fc.boolean(),
  /** Repeats an earlier repeatable append, if there is one. */
  again: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The simplest possible log, without positions. */
class Model {
  readonly streams = new Map<string, NewEvent[]>()
  readonly claims = new Map<string, { stream: string; revision: number }>()
  readonly order: string[] = []
  readonly #repeats = new Map<string, Map<string, number>>()

  append({ stream, expected, events, take = [], release = [], repeatable }: Append): object {
    const held = this.streams.get(stream) ?? []
    const repeats = this.#repeats.get(stream) ?? new Map<string, number>()
    const earlier = repeatable && events.length > 0 ? repeats.get(events.at(-1)!.id) : undefined
    if (earlier !== undefined) return { ok: true, revision: earlier, repeated: true }
    const actual = held.length - 1
    if (expected !== 'any' && expected !== actual) return { ok: false, conflict: 'revision', actual }
    const taken = take.map(({ key }) => key).find((key) => (this.claims.get(key)?.stream ?? stream) !== stream)
    if (taken) return { ok: false, conflict: 'claim', claim: { key: taken, ...this.claims.get(taken) } }
    const revision = actual + events.length
    events.forEach((each, n) => {
      this.order.push(each.id)
      if (repeatable) repeats.set(each.id, actual + 1 + n)
    })
    this.#repeats.set(stream, repeats)
    this.streams.set(stream, [...held, ...events])
    for (const key of release) if (this.claims.get(key)?.stream === stream) this.claims.delete(key)
    for (const { key } of take) this.claims.set(key, { stream, revision })
    return { ok: true, revision, repeated: false }
  }
}

/** A random run of appends to a log and to the model, compared at each step and at the end. */
class Run {
  readonly #model = new Model()
  readonly #log: EventLog
  readonly #run = fresh('run')
  readonly #repeatable: Append[] = []

  constructor(log: EventLog) {
    this.#log = log
  }

  async play(steps: readonly Step[], atOnce: number): Promise<void> {
    const before = await this.#log.lastPosition()
    for (let at = 0; at < steps.length; at += atOnce) {
      const requests = steps.slice(at, at + atOnce).map((each) => this.#request(each))
      const results = await Promise.all(requests.map((request) => this.#log.append(request)))
      const expected = requests.map((request) => this.#model.append(request))
      expect(results.map(withoutPosition)).to.deep.equal(expected)
    }
    await this.#compare(before)
  }

  #request(chosen: Step): Append {
    const stream = `${this.#run}-${chosen.stream}`
    const head = (this.#model.streams.get(stream)?.length ?? 0) - 1
    const expected = { any: 'any' as const, none: -1, head, behind: Math.max(head - 1, -1) }[chosen.expected]
    const earlier = this.#repeatable.at(chosen.stream)
    if (chosen.again && earlier) return { ...earlier, expected }
    const events = Array.from({ length: chosen.events }, (_, n) => event({ n }))
    const take = chosen.take.map((n) => ({ key: this.#key(n) }))
    const request = { stream, expected, events, take, release: chosen.release.map((n) => this.#key(n)) }
    if (!chosen.repeatable) return request
    this.#repeatable.push({ ...request, repeatable: true })
    return { ...request, repeatable: true }
  }

  async #compare(before: number): Promise<void> {
    const all = await collect(this.#log.readAll({ after: before }))
    expect(all.map((each) => each.id)).to.deep.equal(this.#model.order)
    for (const [stream, events] of this.#model.streams) {
      const read = await collect(this.#log.readStream(stream))
      expect(read.map(({ id, data, revision }) => ({ id, data, revision }))).to.deep.equal(
        events.map(({ id, data }, revision) => ({ id, data, revision })),
      )
      expect(all.filter((each) => each.stream === stream)).to.deep.equal(read)
    }
    for (let n = 0; n < KEYS; n++) {
      const claim = this.#model.claims.get(this.#key(n))
      expect(await this.#log.claimed(this.#key(n))).to.deep.equal(claim && { key: this.#key(n), ...claim })
    }
  }

  #key(n: number): string {
    return `${this.#run}-key-${n}`
  }
}

function withoutPosition(result: Appended): object {
  if (!result.ok) return result
  const { position: _, ...rest } = result
  return rest
}

/**
 * @param atOnce number of appends that are sent without waiting for each other; more than 1 only for a log that decides them in the
 * order in which they were sent
 */
export function modelled(setting: Setting, atOnce = 1): void {
  it(`does what a simple model does over random appends, ${atOnce} at once`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) => new Run(setting().log).play(steps, atOnce)),
      { numRuns: 60 },
    )
  })
}
