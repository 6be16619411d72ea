import { expect } from 'chai'
import { random, seedOfRun } from '../support/random.ts'
import { openSetting } from '../workers/reactor/setting.ts'
import { Twin } from './downtime/twin.ts'
import { byForm, patience, printFigures } from './form.ts'
import { DAY } from './lives/clocks.ts'

const PAIRS = byForm(12, 200)
const LONGEST_DAYS = 400
/** Days that a service runs before it is away, at most, and afterwards. */
const [BEFORE, AFTER] = [60, 3]
/** A service dies within so many of its steps towards the outside, or is stopped in order. */
const MOST_STEPS = 250

describe('downtime', function () {
  this.timeout(patience)

  it(`of 1 to ${LONGEST_DAYS} days ends as if nothing had slept, for ${PAIRS} pairs of charges, renewals, grace, drips and digests`, async () => {
    const numbers = random(seedOfRun())
    const setting = await openSetting()
    const begun = performance.now()
    const totals = { killed: 0, days: 0, invoices: 0, paid: 0, churned: 0 }
    let ids = 0
    const mint = () => ++ids
    try {
      for (let pair = 0; pair < PAIRS; pair++) {
        const [seed, days] = [numbers.below(2 ** 31), 1 + numbers.below(LONGEST_DAYS)]
        const told = `pair ${pair}, of seed ${seed}, ${days} days`
        const dieAfter = numbers.below(3) > 0 ? 1 + numbers.below(MOST_STEPS) : Number.POSITIVE_INFINITY
        const asleep = await Twin.begin(setting.log, mint, { seed, order: numbers.below(2 ** 31), dieAfter })
        const isKilled = await asleep.until(asleep.clocks.truth + numbers.below(BEFORE * DAY))
        await asleep.sleep(days * DAY)
        const end = asleep.clocks.truth + AFTER * DAY
        await asleep.until(asleep.clocks.truth)
        await asleep.until(end)
        const outcome = await asleep.outcome()
        const order = numbers.below(2 ** 31)
        const awake = await Twin.begin(setting.log, mint, { seed, order, dieAfter: Number.POSITIVE_INFINITY })
        await awake.until(end)
        expect(outcome, told).to.deep.equal(await awake.outcome())
        expect([...asleep.complaints, ...awake.complaints], told).to.deep.equal([])
        totals.killed += isKilled ? 1 : 0
        totals.days += days
        totals.invoices += outcome.invoices.length
        totals.paid += outcome.invoices.filter(({ status }) => status === 'paid').length
        totals.churned += outcome.order.service_status === 'churned' ? 1 : 0
      }
    } finally {
      await setting.cleanup()
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    printFigures('downtime', `${PAIRS} pairs in ${seconds} s: ${JSON.stringify(totals)}`)
  })
})
