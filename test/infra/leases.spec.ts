import { expect } from 'chai'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { type LeaseStore, Leases, whileHolding } from '../../infra/leases.ts'
import { connectMongo } from '../../infra/mongodb/connection.ts'
import { MongoLeases } from '../../infra/mongodb/leases.ts'
import { takeNode } from '../../infra/runtime/node.ts'
import { describeOn, mongoServers } from '../support/servers/mongo-servers.ts'
import { fresh, pause, until } from './event-log/setting.ts'

/** Leases in memory that can be made unavailable. */
const bookInMemory = () => {
  const rows = new Map<string, { holder: string; until: number }>()
  const book = {
    away: false,
    rows,
    async take(name: string, holder: string, until: number, now: number) {
      if (book.away) throw refuse.unavailable('it is away')
      const row = rows.get(name)
      if (row && row.holder !== holder && row.until > now) return false
      rows.set(name, { holder, until })
      return true
    },
    async release(name: string, holder: string) {
      if (book.away) throw refuse.unavailable('it is away')
      if (rows.get(name)?.holder === holder) rows.delete(name)
    },
  } satisfies LeaseStore & Record<string, unknown>
  return book
}

const preventRemoval = async (book: LeaseStore) => {
  expect(await book.take('a', 'one', 2000, 1000)).to.equal(true)
  expect(await book.take('a', 'two', 2500, 1500)).to.equal(false)
  expect(await book.take('b', 'two', 2500, 1500)).to.equal(true)
  expect(await book.take('a', 'one', 3000, 2500), 'its own, although it has run out').to.equal(true)
  expect(await book.take('a', 'two', 4000, 3000), 'one that has run out').to.equal(true)
  await book.release('a', 'one')
  expect(await book.take('a', 'one', 4500, 3500), 'what somebody else gave back').to.equal(false)
  await book.release('a', 'two')
  expect(await book.take('a', 'one', 4500, 3500)).to.equal(true)
  const many = await Promise.all(Array.from({ length: 20 }, (_, n) => book.take('c', `h${n}`, 9000, 5000)))
  expect(many.filter(Boolean)).to.have.length(1)
}

describe('Leases', () => {
  it('are held by one at a time, in memory', () => preventRemoval(bookInMemory()))

  for (const server of mongoServers) {
    describeOn(server, ({ url }) => {
      it('are held by one at a time', async () => {
        const connection = await connectMongo({ url: await url(), patienceMs: 10_000 })
        const database = fresh('t').slice(0, 30)
        await preventRemoval(new MongoLeases(connection, database))
        expect(await connection.db(database).collection('leases').countDocuments()).to.equal(3)
        await connection.db(database).dropDatabase()
        await connection.close()
      })
    })
  }

  it('give the number of a process to no other; a lost number is replaced', async () => {
    let now = 0
    const book = bookInMemory()
    const [mine, theirs] = [new Leases(book, () => now), new Leases(book, () => now)]
    const [one, other] = [await takeNode(mine), await takeNode(theirs)]
    expect([one.number(), other.number()]).to.deep.equal([0, 1])
    now = 10 * 60 * 1000
    const third = await takeNode(new Leases(book, () => now))
    expect(third.number(), 'of a process that has not renewed it').to.equal(0)
    await Promise.all([one, other, third].map((node) => node.release()))
    expect([...book.rows.keys()]).to.deep.equal([])
  })

  it('survive an unavailable store when a duty begins', async () => {
    const book = bookInMemory()
    let begun = 0
    let ended = 0
    const failures: unknown[] = []
    const start = async () => {
      if (begun++ === 0) throw refuse.unavailable('the read models cannot be reached')
      return { stop: async () => void ended++ }
    }
    const duty = whileHolding(new Leases(book), 'projector', start, (error) => failures.push(error))
    await until(() => begun === 2)
    expect(failures).to.deep.equal([])
    await pause(10)
    await duty.stop()
    expect(ended).to.equal(1)
    expect(book.rows.size).to.equal(0)
  })

  it('expire when they cannot be given back, after a start that failed too', async () => {
    let now = 0
    const book = bookInMemory()
    const failures: unknown[] = []
    const start = async () => {
      book.away = true
      throw refuse.unavailable('the read models cannot be reached')
    }
    const duty = whileHolding(new Leases(book, () => now), 'projector', start, (error) => failures.push(error))
    await until(() => book.away)
    await duty.stop()
    expect(failures).to.deep.equal([])
    book.away = false
    const another = new Leases(book, () => now)
    expect(await another.tryToTake('projector')).to.equal(undefined)
    now = 10_000
    await (await another.tryToTake('projector'))!.release()
    expect(book.rows.size).to.equal(0)
  })

  it('report errors that are not temporary', async () => {
    const failures: unknown[] = []
    const start = () => Promise.reject(new Error('it is broken'))
    const duty = whileHolding(new Leases(bookInMemory()), 'projector', start, (error) => failures.push(error))
    await until(() => failures.length === 1)
    await duty.stop()
  })
})
