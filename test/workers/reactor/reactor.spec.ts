import { expect } from 'chai'
import type { PendingTask } from '../../../domain/kernel/ports/reactor-store.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { DONE } from '../../../workers/reactor/reaction.ts'
import { noting, reaction, settingOfEach, soon } from './setting.ts'

const never = () => new Promise<never>(() => undefined)

describe('the reactor', () => {
  const setting = settingOfEach()

  const owed = async (): Promise<PendingTask[]> => {
    const rows: PendingTask[] = []
    for await (const row of setting().reactorStore.pending()) rows.push(row)
    return rows
  }

  it('runs tasks of one subject in order, and different subjects concurrently', async () => {
    const begun: unknown[] = []
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await setting().start([
      reaction({
        async react({ data, stream }) {
          begun.push(data.n)
          if (stream === 'a-1') await held
          return DONE
        },
      }),
    ])
    for (const [n, stream] of ['a-1', 'a-1', 'b-1', 'b-1'].entries()) await setting().happen('Happened', stream, { n })
    await soon(() => begun.length === 3)
    expect(begun).to.deep.equal([0, 2, 3])
    letGo()
    await soon(() => begun.length === 4)
    expect(begun.at(-1)).to.equal(1)
  })

  it('lets no concurrency group delay another, with any backlog', async () => {
    const done: unknown[] = []
    await setting().start([
      reaction({ name: 'hangs', on: [{ type: 'Hung' }], react: never }),
      noting(done, { group: () => 'another' }),
    ])
    for (let n = 0; n < 200; n++) await setting().happen('Hung', `a-${n}`)
    await setting().happen('Happened', 'b-1', { n: 'through' })
    await soon(() => done.length === 1)
  })

  it('moves its checkpoint past long tasks, which it stores', async () => {
    const done: unknown[] = []
    await setting().start([reaction({ name: 'hangs', on: [{ type: 'Hung' }], react: never }), noting(done)])
    await setting().happen('Hung', 'a-1')
    await setting().happen('Hung', 'a-1')
    const last = await setting().happen('Happened', 'b-1')
    await soon(async () => (await setting().reactorStore.checkpoint()) === last)
    expect((await owed()).map(({ lane, position }) => [lane, position])).to.deep.equal([
      ['hangs:a-1', 0],
      ['hangs:a-1', 1],
    ])
  })

  it('retries failed tasks while their lane waits, and dead-letters them at last', async () => {
    const tried: unknown[] = []
    const poisoned = reaction({
      async react({ data }) {
        tried.push(data.n)
        if (data.n === 'poison') throw new Error('it is poisoned by ada@example.com\nwith a second line')
        return DONE
      },
    })
    await setting().start([poisoned])
    for (const n of ['poison', 'behind']) await setting().happen('Happened', 'a-1', { n })
    await setting().happen('Happened', 'b-1', { n: 'beside' })
    await soon(() => tried.includes('behind'))
    expect(tried.filter((n) => n === 'poison')).to.have.length(3)
    expect(tried.indexOf('beside')).to.be.lessThan(tried.lastIndexOf('poison'))
    const [letter, ...more] = await setting().reactorStore.deadLetters({ limit: 10 })
    expect(more).to.deep.equal([])
    expect(letter).to.include({
      reaction: 'tested',
      position: 0,
      attempts: 3,
      workspace_id: 1,
      error: 'it is poisoned by [address]',
    })
    await soon(async () => (await owed()).length === 0)
  })

  it('runs a dead letter that is retried', async () => {
    let isFixed = false
    const done: unknown[] = []
    const reactor = await setting().start([
      reaction({
        maxAttempts: 1,
        async react({ data }) {
          if (!isFixed) throw new Error('not yet')
          done.push(data.n)
          return DONE
        },
      }),
    ])
    await setting().happen('Happened', 'a-1', { n: 1 })
    await soon(async () => (await setting().reactorStore.deadLetters({ limit: 1 })).length === 1)
    isFixed = true
    await setting().happen('Happened', 'a-1', { n: 2 })
    const [letter] = await setting().reactorStore.deadLetters({ limit: 1 })
    const { at: _, ...rest } = letter!
    const row = { ...rest, attempts: 0, due: 0, error: null }
    await setting().reactorStore.write([{ revived: letter! }, { owed: row }])
    reactor.revive(row)
    await soon(() => done.length === 2)
    expect(done).to.deep.equal([2, 1])
    await soon(async () => (await owed()).length === 0)
  })

  it('waits for an unavailable store, without counting an attempt', async () => {
    let tries = 0
    const done: unknown[] = []
    await setting().start([
      reaction({
        maxAttempts: 1,
        async react() {
          if (++tries < 3) throw refuse.unavailable('the disk is full')
          done.push('done')
          return DONE
        },
      }),
    ])
    await setting().happen('Happened', 'a-1')
    await soon(() => done.length === 1)
    expect(await setting().reactorStore.deadLetters({ limit: 1 })).to.deep.equal([])
  })

  it('runs an early task when it is due', async () => {
    const at: number[] = []
    const due = Date.now() + 400
    await setting().start([
      reaction({
        async react() {
          at.push(Date.now())
          return Date.now() < due ? { came: 'early', notBefore: due } : DONE
        },
      }),
    ])
    await setting().happen('Happened', 'a-1')
    await soon(() => at.length === 2)
    expect(at[1]).to.be.at.least(due)
    expect(await setting().reactorStore.checkpoint()).to.not.equal(undefined)
  })

  it('records refusals', async () => {
    await setting().start([reaction({ react: async () => ({ came: 'refused', reasons: ['it is archived'] }) })])
    await setting().happen('Happened', 'a-1', {}, 7)
    await soon(async () => (await setting().reactorStore.refusals(7, 5)).length === 1)
    expect((await setting().reactorStore.refusals(7, 5))[0]).to.include({
      reaction: 'tested',
      position: 0,
      reason: 'it is archived',
    })
  })

  it('continues the running tasks after a stop, from their cursors', async () => {
    const steps: unknown[] = []
    const walking = reaction({
      async react(_event, turn) {
        for (let n = Number((await turn.cursor()) ?? 0); n < 10; n++) {
          if (turn.stopping()) return { came: 'stopped' }
          await new Promise((resolve) => setTimeout(resolve, 10))
          steps.push(n)
          await turn.saveCursor(n + 1)
        }
        return DONE
      },
    })
    const first = await setting().start([walking])
    await setting().happen('Happened', 'a-1')
    await soon(() => steps.length === 3)
    await first.stop()
    expect(steps.length).to.be.lessThan(10)
    await setting().start([walking])
    await soon(() => steps.length === 10)
    expect(steps).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    await soon(async () => {
      // One of them says that the reactor runs.
      for await (const [name] of setting().reactorStore.cursors()) if (name !== 'under-way') return false
      return true
    })
  })

  it('lets a reaction that is declared later begin at the end of the log', async () => {
    const [known, late]: unknown[][] = [[], []]
    await setting().happen('Happened', 'a-1', { n: 1 })
    const first = await setting().start([noting(known!)])
    await soon(() => known!.length === 1)
    await setting().happen('Happened', 'a-1', { n: 2 })
    await first.stop()
    await setting().start([noting(known!), noting(late!, { name: 'late' })])
    await setting().happen('Happened', 'a-1', { n: 3 })
    await soon(() => late!.length > 0 && known!.includes(3))
    expect(late).to.deep.equal([3])
    expect(known).to.include.members([1, 2, 3])
  })
})
