import { expect } from 'chai'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { DONE, type Reaction } from '../../../workers/reactor/reaction.ts'
import { Mortal } from '../../reliability/kills/mortal.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { withOwn } from '../../support/with-own.ts'
import { reaction, settingOfEach, soon } from './setting.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a concurrency group without free slots', () => {
  const setting = settingOfEach()

  const rows = async (): Promise<number> => {
    let count = 0
    for await (const _ of setting().reactorStore.pending()) count++
    return count
  }

  it('keeps its position in the log with few rows, without blocking the checkpoint, and continues from there', async () => {
    let isOpen = false
    const done: unknown[] = []
    const reactor = await setting().start([
      {
        ...reaction({
          name: 'slow',
          async react({ data }) {
            done.push(data.n)
            return DONE
          },
        }),
        limit: () => (isOpen ? 4 : 0),
      },
    ])
    let last = 0
    for (let n = 0; n < 1000; n++) last = await setting().happen('Happened', `a-${n}`, { n })
    await soon(async () => (await setting().reactorStore.checkpoint()) === last)
    expect(reactor.position).to.equal(last)
    expect(await rows()).to.equal(256)
    expect(await setting().reactorStore.behind()).to.deep.equal([{ gate: 'tested:1', reaction: 'slow', after: 255 }])
    isOpen = true
    await soon(() => done.length === 1000)
    expect(new Set(done).size).to.equal(1000)
    await soon(async () => (await setting().reactorStore.behind()).length === 0 && (await rows()) === 0)
    await setting().happen('Happened', 'b-1', { n: 'after' })
    await soon(() => done.includes('after'))
  })

  it('reads only where its events are in the log', async () => {
    let read = 0
    const { log } = setting()
    const counted: EventLog = withOwn(log, {
      async *readAll(options) {
        for await (const event of log.readAll(options)) {
          read++
          yield event
        }
      },
    })
    let isOpen = false
    const done: unknown[] = []
    const act = async ({ data }: RecordedEvent) => {
      done.push(data.n)
      return DONE
    }
    await setting().start([{ ...reaction({ name: 'slow', react: act }), limit: () => (isOpen ? 4 : 0) }], {
      log: counted,
    })
    for (let n = 0; n < 300; n++) await setting().happen('Happened', `a-${n}`, { n })
    for (let n = 0; n < 1000; n++) await setting().happen('Other', `b-${n}`, { n })
    const last = await setting().happen('Happened', 'c', { n: 'last' })
    await soon(async () => (await setting().reactorStore.checkpoint()) === last)
    isOpen = true
    await soon(() => done.length === 301, 10_000)
    expect(done).to.include('last')
    expect(read).to.be.lessThan(800)
  })

  it('survives a log that cannot be read, also for pending tasks', async () => {
    let isAway = false
    let asked = 0
    const { log } = setting()
    const refused = () => {
      asked++
      return refuse.unavailable('the log is away')
    }
    const sometimes: EventLog = new Proxy(log, {
      get(target, name) {
        if (isAway && (name === 'readAll' || name === 'at'))
          return () => {
            throw refused()
          }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    let isOpen = false
    const done = new Set<unknown>()
    const act = async ({ data }: RecordedEvent) => {
      done.add(data.n)
      return DONE
    }
    const gated = { ...reaction({ name: 'slow', react: act }), limit: () => (isOpen ? 4 : 0) }
    await setting().start([gated], { log: sometimes })
    let last = 0
    for (let n = 0; n < 600; n++) last = await setting().happen('Happened', `a-${n}`, { n })
    await soon(async () => (await setting().reactorStore.checkpoint()) === last)
    isAway = true
    isOpen = true
    await setting().happen('Happened', 'b', { n: 'wakes' })
    await soon(() => asked > 10)
    isAway = false
    await soon(() => done.size === 601, 10_000)
  })

  it('runs tasks behind another group as they arrive', async () => {
    const done: unknown[] = []
    await setting().start([
      reaction({
        width: 1,
        async react({ data, metadata }) {
          if (metadata.workspace_id === 1) await new Promise(() => undefined)
          done.push(data.n)
          return DONE
        },
      }),
    ])
    for (let n = 0; n < 400; n++) await setting().happen('Happened', `a-${n}`, { n }, 1)
    await setting().happen('Happened', 'b-1', { n: 'through' }, 2)
    await soon(() => done.length === 1)
  })

  it('keeps every subject in order and loses nothing, while attempts fail, the group closes and processes end', async () => {
    const EVENTS = 3000
    const numbers = random(seedOfRun())
    const effects: number[] = []
    const affected = new Set<number>()
    const life = (process: Mortal): Reaction => ({
      ...reaction({
        name: 'delivers',
        maxAttempts: 1000,
        async react({ data }) {
          for (let waits = numbers.below(4); waits > 0; waits--) await turn()
          // A process that has ended does nothing any more.
          if (process.isDead) return new Promise(() => undefined)
          const n = Number(data.n)
          if (affected.has(n)) return DONE
          if (numbers.below(100) < 3) throw new Error('it stumbles')
          if (numbers.below(100) < 3) return { came: 'early', notBefore: Date.now() + 20 }
          affected.add(n)
          effects.push(n)
          return DONE
        },
      }),
      limit: () => (numbers.below(10) < 2 ? 0 : 8),
    })
    const subjects = Array.from({ length: 700 }, (_, index) => `contact-${index}`)
    const streams: string[] = []
    const begin = (process: Mortal) =>
      setting().start([life(process)], { reactorStore: process.of(setting().reactorStore, ['write']) })
    let process = new Mortal()
    let reactor = await begin(process)
    for (let n = 0; n < EVENTS; n++) {
      streams.push(numbers.pick(subjects))
      await setting().happen('Happened', streams[n]!, { n })
      if (n % 500 === 499) {
        setting().abandon(reactor)
        await process.kill()
        process = new Mortal()
        reactor = await begin(process)
      }
    }
    await soon(() => effects.length === EVENTS, 40_000)
    const newest = new Map<string, number>()
    for (const n of effects) {
      expect(n).to.be.greaterThan(newest.get(streams[n]!) ?? -1)
      newest.set(streams[n]!, n)
    }
    await soon(async () => (await setting().reactorStore.behind()).length === 0 && (await rows()) === 0, 10_000)
  })
})
