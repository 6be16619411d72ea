import { expect } from 'chai'
import { random, seedOfRun } from '../support/random.ts'
import { openSetting } from '../workers/reactor/setting.ts'
import { byForm, patience, printFigures } from './form.ts'
import { goThrough } from './lives/go-through.ts'
import { Life } from './lives/life.ts'

const LIVES = byForm(20, 200)
const STEPS = byForm(40, 80)

describe('the lives of subscriptions', function () {
  this.timeout(patience)

  it(`are charged once for each thing owed and never for what is not, over ${LIVES} lives`, async () => {
    const numbers = random(seedOfRun())
    const setting = await openSetting()
    const begun = performance.now()
    const [done, totals] = [new Map<string, number>(), { attempts: 0, kills: 0, charges: 0, requests: 0 }]
    let ids = 0
    try {
      for (let number = 0; number < LIVES; number++) {
        const seed = numbers.below(2 ** 31)
        const life = await Life.begin(setting.log, () => ++ids, seed)
        try {
          await goThrough(life, STEPS)
          await life.settle()
        } catch (error) {
          throw new Error(`life ${number}, of seed ${seed}`, { cause: error })
        }
        expect(await life.audit(), `life ${number}, of seed ${seed}`).to.deep.equal([])
        for (const [act, times] of life.client.done) done.set(act, (done.get(act) ?? 0) + times)
        totals.attempts += life.attempts
        totals.kills += life.kills
        totals.charges += life.bank.charges.filter(({ isApproved }) => isApproved).length
        totals.requests += life.bank.requests
      }
    } finally {
      await setting.cleanup()
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const acts = [...done].map(([act, times]) => `${act} ${times}`).join(', ')
    printFigures('subscription-lives', `${LIVES} lives in ${seconds} s: ${JSON.stringify(totals)}; ${acts}`)
  })
})
