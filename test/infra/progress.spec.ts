import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Db } from 'mongodb'
import type { ReadModelStore } from '../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { ChangeStreamsUnsupported, openNews } from '../../infra/read-models/mongodb/news.ts'
import { type Watching, watching } from '../../infra/runtime/progress.ts'

type Heard = (position?: number) => void

describe('waiting for read models that another process writes', () => {
  let asked: number
  let checkpoint: number
  let isAway: boolean
  let watcher: Watching
  let listeners: { heard: Heard; ended: () => void }[]
  let closed: number

  const open = (tells: boolean): Watching => {
    const live = {
      checkpoint: async () => {
        asked++
        if (isAway) throw refuse.unavailable('away')
        return checkpoint
      },
    } as unknown as ReadModelStore['live']
    const news = async (heard: Heard, ended: () => void) => {
      listeners.push({ heard, ended })
      return {
        async close() {
          closed++
        },
      }
    }
    watcher = watching(tells ? { live, news } : { live })
    return watcher
  }
  beforeEach(() => {
    asked = 0
    checkpoint = 0
    isAway = false
    listeners = []
    closed = 0
  })
  afterEach(() => watcher.stop())

  const crowd = (position: number, timeoutMs: number) =>
    Promise.all(Array.from({ length: 50 }, () => watcher.reached(position, timeoutMs)))

  for (const tells of [false, true]) {
    describe(tells ? 'from a store that tells' : 'from a store that must be asked', () => {
      it('sends no query while nobody waits', async () => {
        open(tells)
        await sleep(100)
        expect(asked).to.equal(0)
        const reached = watcher.reached(5, 5000)
        await sleep(20)
        checkpoint = 7
        listeners[0]?.heard(7)
        expect(await reached).to.equal(true)
        await sleep(20)
        asked = 0
        expect(await watcher.reached(6, 0)).to.equal(true)
        await sleep(300)
        expect(asked).to.equal(0)
      })

      it('polls once for all waiters, and more rarely the longer it takes', async () => {
        open(tells)
        const all = crowd(5, 5000)
        await sleep(1000)
        // Polling every 5 ms for each waiter would be 10,000 queries.
        expect(asked).to.be.within(1, tells ? 3 : 60)
        checkpoint = 5
        listeners[0]?.heard(5)
        expect(new Set(await all)).to.deep.equal(new Set([true]))
      })

      it('reports a timeout to each waiter in time, and continues for the others', async () => {
        open(tells)
        const [soon, late] = [watcher.reached(5, 50), watcher.reached(5, 5000)]
        expect(await soon).to.equal(false)
        checkpoint = 5
        listeners[0]?.heard(5)
        expect(await late).to.equal(true)
      })

      it('survives an unavailable store', async () => {
        open(tells)
        isAway = true
        const [soon, late] = [watcher.reached(5, 50), watcher.reached(5, 5000)]
        expect(await soon).to.equal(false)
        isAway = false
        checkpoint = 5
        const back = performance.now()
        expect(await late).to.equal(true)
        expect(performance.now() - back).to.be.lessThan(2000)
      })

      it('notifies the waiters when it is stopped, and then stops listening', async () => {
        open(tells)
        const waiting = watcher.reached(5, 60_000)
        await sleep(10)
        await watcher.stop()
        expect(await waiting).to.equal(false)
        expect(await watcher.reached(5, 60_000)).to.equal(false)
        expect(closed).to.equal(tells ? 1 : 0)
      })
    })
  }

  it('polls again when the change stream has ended', async () => {
    open(true)
    const waiting = watcher.reached(5, 5000)
    await sleep(50)
    asked = 0
    checkpoint = 5
    listeners[0]!.ended()
    expect(await waiting).to.equal(true)
    expect(asked).to.be.greaterThan(0)
  })

  it('polls once more when the change stream begins, which does not report earlier positions', async () => {
    open(true)
    const waiting = watcher.reached(5, 5000)
    checkpoint = 5
    const begun = performance.now()
    expect(await waiting).to.equal(true)
    expect(performance.now() - begun).to.be.lessThan(500)
  })
})

describe('a change stream of checkpoints', () => {
  /** A server that sends these changes. */
  const serverOf = (changes: readonly unknown[], refuses?: Error) => {
    const left = [...changes]
    let isClosed = false
    const stream = {
      tryNext: async () => {
        if (refuses) throw refuses
        return null
      },
      next: async () => {
        if (left.length === 0) throw new Error('it broke')
        return left.shift()
      },
      async close() {
        isClosed = true
      },
    }
    const db = { collection: () => ({ watch: () => stream }) } as unknown as Db
    return { db, isClosed: () => isClosed }
  }

  it('reports the checkpoints of the live generation, and that another may have taken over', async () => {
    const update = (_id: string, position?: number) => ({
      operationType: 'update',
      documentKey: { _id },
      updateDescription: { updatedFields: position === undefined ? { fingerprints: '[]' } : { position } },
    })
    const { db, isClosed } = serverOf([
      { operationType: 'insert', documentKey: { _id: 'g2' }, fullDocument: { _id: 'g2', position: 3 } },
      update('g2', 4),
      update('g1', 9),
      update('g2'),
      update('pointer'),
      { operationType: 'drop' },
      update('g2', 5),
    ])
    const heard: (number | undefined)[] = []
    await new Promise<void>((ended) => {
      void openNews(db, { current: () => 2, heard: (position) => heard.push(position), ended })
    })
    expect(heard).to.deep.equal([3, 4, undefined, 5])
    expect(isClosed()).to.equal(true)
  })

  it('is absent when the server does not support it', async () => {
    const { db, isClosed } = serverOf([], new Error('The $changeStream stage is only supported on replica sets'))
    const parts = { current: () => 1, heard: () => undefined, ended: () => undefined }
    const error = await openNews(db, parts).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(ChangeStreamsUnsupported)
    expect(isClosed()).to.equal(true)
  })
})
