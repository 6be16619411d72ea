import { expect } from 'chai'
import { waitUntilReadable } from '../../../domain/kernel/engine/readable.ts'
import { DONE } from '../../../workers/reactor/reaction.ts'
import { reaction, settingOfEach, soon } from './setting.ts'

/** A projector that answers, while it builds, that waiting took too long; here without any wait. */
const building = () => {
  let isBuilt = false
  return {
    reached: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return isBuilt
    },
    end() {
      isBuilt = true
    },
  }
}

describe('a reactor beside a rebuild of any length', () => {
  const setting = settingOfEach()

  it('waits without using up attempts, and continues as soon as it is over', async () => {
    const rebuild = building()
    const begun: unknown[] = []
    const done: unknown[] = []
    await setting().start([
      reaction({
        async react(event) {
          begun.push(event.data.n)
          await waitUntilReadable(rebuild.reached, event.position, () => false)
          done.push(event.data.n)
          return DONE
        },
      }),
    ])
    const { happen, reactorStore } = setting()
    for (let n = 0; n < 3; n++) await happen('Happened', `a-${n}`, { n })
    // Enough for more than a thousand waits that would take half a minute each, and for a pending task to be stored.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(done).to.deep.equal([])
    const rows = []
    for await (const row of reactorStore.pending()) rows.push(row)
    expect(rows.map(({ attempts }) => attempts)).to.deep.equal([0, 0, 0])
    rebuild.end()
    await soon(() => done.length === 3, 500)
    expect(begun).to.have.length(3)
    await soon(async () => (await reactorStore.counts()).pending.size === 0)
    expect(await reactorStore.deadLetters({ limit: 10 })).to.deep.equal([])
  })

  it('ends the wait when it is stopped, and runs the task after the next start', async () => {
    const rebuild = building()
    let isOver = false
    const done: unknown[] = []
    const waiting = reaction({
      async react(event) {
        await waitUntilReadable(rebuild.reached, event.position, () => isOver)
        done.push(event.data.n)
        return DONE
      },
    })
    const first = await setting().start([waiting])
    await setting().happen('Happened', 'a-1', { n: 1 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    isOver = true
    // The rebuild does not end before: a stop that waited for it would not come back.
    await first.stop()
    expect(done).to.deep.equal([])
    isOver = false
    rebuild.end()
    await setting().start([waiting])
    await soon(() => done.length === 1)
  })
})
