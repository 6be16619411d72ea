import { expect } from 'chai'
import { DONE } from '../../workers/reactor/reaction.ts'
import { random, seedOfRun } from '../support/random.ts'
import { reaction, settingOfEach, soon } from '../workers/reactor/setting.ts'
import { byForm, patience, printFigures } from './form.ts'

const HOUR = 60 * 60 * 1000
const EVENTS = byForm(400, 10_000)

describe('the reactor under a clock that jumps by an hour', function () {
  this.timeout(patience)
  const setting = settingOfEach()

  it('does everything once and in order, despite early tasks and failed attempts', async () => {
    const numbers = random(seedOfRun())
    let offset = 0
    let jumps = 0
    const now = () => Date.now() + offset
    const waits = new Map<number, number>()
    const stumbled = new Set<number>()
    const done: { readonly n: number; readonly subject: string }[] = []
    const jumping = setInterval(() => {
      offset = numbers.pick([-HOUR, 0, HOUR])
      jumps++
    }, 40)
    await setting().start(
      [
        reaction({
          async react({ data, stream }) {
            const n = Number(data.n)
            if (n % 5 === 0 && !stumbled.has(n)) {
              stumbled.add(n)
              throw new Error('it stumbles once')
            }
            if (n % 3 === 0) {
              const due = waits.get(n) ?? now() + 20 + numbers.below(100)
              waits.set(n, due)
              if (due > now()) return { came: 'early', notBefore: due }
            }
            done.push({ n, subject: stream })
            return DONE
          },
        }),
      ],
      { now },
    )
    for (let n = 0; n < EVENTS; n++) await setting().happen('Happened', `a-${numbers.below(60)}`, { n })
    await new Promise((resolve) => setTimeout(resolve, 500))
    clearInterval(jumping)
    // Tasks that became due while the clock was ahead run when the clock reaches that time again.
    offset = 2 * HOUR
    await soon(() => done.length >= EVENTS, 30_000)
    printFigures('clock-jumps', `${EVENTS} events, ${jumps} jumps`)
    expect(new Set(done.map(({ n }) => n)).size).to.equal(EVENTS)
    expect(done).to.have.length(EVENTS)
    const newest = new Map<string, number>()
    for (const { n, subject } of done) {
      expect(n).to.be.greaterThan(newest.get(subject) ?? -1)
      newest.set(subject, n)
    }
  })
})
