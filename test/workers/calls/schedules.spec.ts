import { expect } from 'chai'
import fc from 'fast-check'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import { byForm } from '../../reliability/form.ts'
import { Mortal } from '../../reliability/kills/mortal.ts'
import { openSetting } from '../reactor/setting.ts'
import { WITHIN_MS } from './purchase.ts'
import { openShop } from './shop.ts'
import { TaskRunner } from './task-runner.ts'
import { BEHAVIOURS, type Behaviour, Till } from './till.ts'

const BEGIN = Date.parse('2026-03-01T09:00:00.000Z')
const ROUNDS = 500

interface Schedule {
  /** How requests are treated, one after the other. */
  readonly manners: readonly Behaviour[]
  /** Number of steps towards the outside after which each life dies; a last life finishes. */
  readonly lives: readonly number[]
  /** Whether everything is delivered again after a kill. */
  readonly again: boolean
  /** Number of the request during which the purchase is cancelled. */
  readonly calledOff: number | undefined
  /** Milliseconds from its start to its deadline. */
  readonly left: number
}

/** Runs one purchase under a schedule until it ends. */
const live = async (log: EventLog, { manners, lives, again, calledOff, left }: Schedule) => {
  let now = () => BEGIN
  const outside = openShop(log, () => now())
  const id = await outside.buy({ at: BEGIN - WITHIN_MS + left })
  const carrier = new TaskRunner(() => outside.story(id), BEGIN)
  now = () => carrier.now
  const next = manners.values()
  const mannerOf = () => next.next().value ?? 'answers'
  const till = new Till(mannerOf, async (number) => {
    if (number === calledOff) await outside.tell(id, 'callOff', { reason: 'it is called off' })
  })

  /** Runs one life. @returns whether the purchase ended in it */
  const lifeOf = async (mortal: Mortal): Promise<boolean> => {
    const shop = openShop(log, now)
    const engine = mortal.of(shop.engine, ['transact'])
    const adapters = till.adapters((adapter) => mortal.of(adapter, ['send', 'find'] as never))
    const reactions = shop.reactions(adapters, undefined, engine)
    for (let round = 0; round < ROUNDS; round++) {
      const tried = carrier.carryOn(reactions, (turn) => mortal.of(turn, ['saveCursor']))
      const came = await Promise.race([tried, mortal.death.then(() => 'died' as const)])
      if (came === 'died') return false
      if (came !== undefined) continue
      const { step, stuck } = await outside.stands(id)
      if (step === null) return true
      expect(stuck, `nothing is left to do at ${step}`).not.to.equal(null)
      await outside.tell(id, 'resume')
    }
    throw new Error('it does not end')
  }

  for (const steps of [...lives, Number.POSITIVE_INFINITY]) {
    if (await lifeOf(new Mortal(steps))) break
    if (again) carrier.redeliver()
  }
  return { till, ...(await outside.stands(id)) }
}

const schedules: fc.Arbitrary<Schedule> = fc.record({
  manners: fc.array(fc.constantFrom(...BEHAVIOURS), { maxLength: 14 }),
  lives: fc.array(fc.nat({ max: 20 }), { maxLength: 4 }),
  again: fc.boolean(),
  calledOff: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
  left: fc.constantFrom(1, 8, 20, WITHIN_MS),
})

describe('a process under any schedule of answers, doubts, kills and repeats', function () {
  this.timeout(byForm(60_000, 600_000))

  it('charges once at most, and ends completed or fully compensated', async () => {
    const setting = await openSetting()
    const ends = new Set<string>()
    try {
      await fc.assert(
        fc.asyncProperty(schedules, async (schedule) => {
          const { till, status, left } = await live(setting.log, schedule)
          expect(till.charges.length).to.be.at.most(1)
          if (status === 'completed') {
            expect(till.charges.map(({ refunded }) => refunded)).to.deep.equal([false])
            expect({ left, packed: till.packed.size }).to.deep.equal({ left: 0, packed: 1 })
          } else {
            expect(status).to.equal('undone')
            expect(till.charges.every(({ refunded }) => refunded)).to.equal(true)
            expect({ left, packed: till.packed.size }).to.deep.equal({ left: 1, packed: 0 })
          }
          ends.add(status)
        }),
        { numRuns: byForm(200, 3000) },
      )
    } finally {
      await setting.cleanup()
    }
    expect([...ends].sort()).to.deep.equal(['completed', 'undone'])
  })
})
