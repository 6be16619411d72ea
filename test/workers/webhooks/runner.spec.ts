import { expect } from 'chai'
import pino from 'pino'
import type { EndpointRecord } from '../../../domain/webhooks/endpoint/model.ts'
import type { Attempt } from '../../../workers/webhooks/attempt.ts'
import { type Room, Runner } from '../../../workers/webhooks/runner.ts'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { type Simulated, SimulatedQueue } from './simulated-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** One runner over a simulated queue and a simulated clock; every attempt is held against what may be attempted. */
class Simulation {
  readonly queue = new SimulatedQueue()
  readonly deliveries: Simulated[] = []
  readonly order: number[] = []
  now = 1_000_000
  most = 0
  #underWay = new Set<string>()
  #held = 0
  readonly #failures: number
  readonly #random: Random
  readonly runner: Runner
  readonly room: Room = { size: 512, taken: 0, unrecorded: 0 }
  readonly noted: string[] = []

  /** @param failures how many of a hundred attempts fail */
  constructor(failures: number, random_: Random) {
    this.#failures = failures
    this.#random = random_
    const health = (name: string) => () => void this.noted.push(name)
    this.runner = new Runner({ id: 1, failing_since: null } as EndpointRecord, {
      webhooks: {
        now: () => this.now,
        projected: () => this.queue.projected,
        reached: (position) => this.#reached(position),
        logger: pino({ level: 'silent' }),
      },
      queue: this.queue,
      attempt: this.#attempt,
      room: this.room,
      health: { failing: health('failing'), recovered: health('recovered'), gone: health('gone') },
    })
  }

  publish(lane: string): void {
    const delivery: Simulated = { id: this.deliveries.length + 1, lane, status: 'pending', attempts: 0, retryAt: null }
    this.deliveries.push(delivery)
    this.runner.wake(this.queue.record(delivery), false)
  }

  /** Orders something again that has been settled. */
  order_(delivery: Simulated): void {
    delivery.status = 'pending'
    delivery.retryAt = this.now
    this.runner.wake(this.queue.record(delivery), true)
  }

  async until(done: () => boolean, step = 100): Promise<void> {
    for (let turns = 0; !done(); turns++) {
      if (turns > 200_000) throw new Error(`stuck: ${JSON.stringify(this.deliveries.filter(isPending).slice(0, 5))}`)
      this.queue.project(this.#random.below(20))
      this.now += step
      this.runner.pump()
      this.most = Math.max(this.most, this.#held)
      await turn()
    }
  }

  get isDone(): boolean {
    return !this.deliveries.some(isPending)
  }

  async #reached(position: number): Promise<boolean> {
    while (this.queue.projected < position) await turn()
    return true
  }

  readonly #attempt: Attempt = async ({ delivery: { id, lane, attempt_count: before } }, _endpoint, onAnswer) => {
    const delivery = this.deliveries[id - 1]!
    expect(this.#underWay.has(lane), `two at once in lane ${lane}`).to.equal(false)
    const earlier = this.deliveries.find((one) => one.lane === lane && one.id < id && isPending(one))
    expect(earlier, `${id} before ${earlier?.id} of lane ${lane}`).to.equal(undefined)
    expect(delivery.status).to.equal('pending')
    expect(before, `attempt of ${id} on an old document`).to.equal(delivery.attempts)
    if (delivery.retryAt !== null) expect(delivery.retryAt).to.be.at.most(this.now)
    this.#underWay.add(lane)
    this.#held++
    for (let waits = this.#random.below(6); waits > 0; waits--) await turn()
    const delivered = this.#random.below(100) >= this.#failures
    onAnswer({ delivered, gone: false, holdFor: null })
    for (let waits = this.#random.below(3); waits > 0; waits--) await turn()
    delivery.attempts++
    const givesUp = !delivered && delivery.attempts >= 6
    delivery.status = delivered ? 'delivered' : givesUp ? 'failed' : 'pending'
    delivery.retryAt = isPending(delivery) ? this.now + 1000 * delivery.attempts : null
    this.#underWay.delete(lane)
    this.#held--
    if (!isPending(delivery)) this.order.push(id)
    return { retryAt: delivery.retryAt, position: this.queue.record(delivery) }
  }
}

const isPending = ({ status }: Simulated): boolean => status === 'pending'

describe('a runner of webhook deliveries', function () {
  this.timeout(20_000)

  for (const failures of [0, 10, 40]) {
    it(`keeps every lane in order and loses nothing when ${failures} of 100 attempts fail`, async () => {
      const numbers = random(seedOfRun())
      const simulation = new Simulation(failures, numbers)
      const lanes = Array.from({ length: 60 }, (_, index) => `contact-${index}`)
      for (let burst = 0; burst < 30; burst++) {
        for (let event = numbers.below(60); event > 0; event--) simulation.publish(numbers.pick(lanes))
        const wanted = simulation.order.length + numbers.below(30)
        await simulation.until(() => simulation.order.length >= wanted || simulation.isDone)
      }
      await simulation.until(() => simulation.isDone)
      for (const lane of lanes) {
        const ids = simulation.order.filter((id) => simulation.deliveries[id - 1]!.lane === lane)
        expect(ids).to.deep.equal([...ids].sort((a, b) => a - b))
      }
      expect(simulation.order).to.have.length(simulation.deliveries.length)
      expect(simulation.most).to.be.at.most(64)
    })
  }

  it('takes up what was ordered again, in a lane that goes on meanwhile', async () => {
    const numbers = random(seedOfRun())
    const simulation = new Simulation(10, numbers)
    for (let event = 0; event < 300; event++) simulation.publish(`contact-${event % 10}`)
    await simulation.until(() => simulation.isDone)
    for (const delivery of simulation.deliveries.slice(0, 50)) {
      delivery.attempts = 0
      simulation.order_(delivery)
    }
    await simulation.until(() => simulation.isDone)
    expect(simulation.order).to.have.length(350)
  })

  it('gives up on an endpoint that only fails, and tries it again by single attempts', async () => {
    const simulation = new Simulation(100, random(seedOfRun()))
    for (let event = 0; event < 500; event++) simulation.publish(`contact-${event}`)
    await simulation.until(() => simulation.noted.includes('failing'), 1)
    const attempts = () => simulation.deliveries.reduce((sum, one) => sum + one.attempts, 0)
    const made = attempts()
    expect(made).to.be.below(30)
    const until = simulation.now + 60_000
    await simulation.until(() => simulation.now >= until, 50)
    expect(attempts() - made).to.be.within(1, 12)
    simulation.runner.stop()
  })
})
