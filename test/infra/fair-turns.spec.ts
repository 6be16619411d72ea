import { expect } from 'chai'
import { fairTurns, NoTurn } from '../../infra/fair-turns.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Tasks that end when they are told to, and the order in which they began. */
const tasks = () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    task: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name)
        ends.set(name, () => resolve(name))
      }),
    async end(name: string) {
      ends.get(name)!()
      await settled()
    },
  }
}

const LIMITS = { atOnce: 2, perKey: 1, waitingPerKey: 100, waitMs: 10_000 }

describe('fair turns', () => {
  it('let nobody wait for more than one task of each other key', async () => {
    const { begun, task, end } = tasks()
    const turns = fairTurns({ ...LIMITS, atOnce: 1 })
    for (let number = 0; number < 5; number++) void turns.run(1, task(`a${number}`))
    void turns.run(2, task('b0'))
    void turns.run(3, task('c0'))
    void turns.run(2, task('b1'))
    await settled()
    for (const name of ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']) await end(name)
    expect(begun).to.deep.equal(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3', 'a4'])
  })

  it('run as many at once as they may, of all and of each key', async () => {
    const { begun, task, end } = tasks()
    const turns = fairTurns({ ...LIMITS, atOnce: 3, perKey: 2 })
    for (const name of ['a0', 'a1', 'a2']) void turns.run(1, task(name))
    for (const name of ['b0', 'b1']) void turns.run(2, task(name))
    await settled()
    expect(begun).to.deep.equal(['a0', 'a1', 'b0'])
    await end('a0')
    expect(begun).to.deep.equal(['a0', 'a1', 'b0', 'b1'])
    await end('b0')
    expect(begun.at(-1)).to.equal('a2')
  })

  it('go on after a task that failed, and return what tasks return', async () => {
    const turns = fairTurns({ ...LIMITS, atOnce: 1 })
    const failed = turns.run(1, () => Promise.reject(new Error('no')))
    const next = turns.run(1, async () => 7)
    expect(await failed.catch((error: Error) => error.message)).to.equal('no')
    expect(await next).to.equal(7)
  })

  it('refuse a task when too many of its key wait, or it has waited for too long', async () => {
    const { begun, task, end } = tasks()
    const turns = fairTurns({ ...LIMITS, waitingPerKey: 1, waitMs: 20 })
    void turns.run(1, task('first'))
    const late = turns.run(1, task('late'))
    expect(await turns.run(1, task('third')).catch((error) => error)).to.be.instanceOf(NoTurn)
    expect(await turns.run(2, async () => 'other')).to.equal('other')
    expect(await late.catch((error) => error)).to.be.instanceOf(NoTurn)
    await end('first')
    void turns.run(1, task('next'))
    await settled()
    expect(begun).to.deep.equal(['first', 'next'])
  })
})
