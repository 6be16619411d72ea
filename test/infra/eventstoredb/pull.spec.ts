import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { expect } from 'chai'
import { ConnectionLost } from '../../../infra/eventstoredb/failures.ts'
import { drained, Pull } from '../../../infra/eventstoredb/wire/pull.ts'

const PATIENCE_MS = 1000

describe('Taking from a read of the EventStoreDB client', () => {
  const numbers = (count: number) => Readable.from(Array.from({ length: count }, (_, n) => n))
  const noCancel = () => Promise.resolve()

  it('returns the received items in portions, and then the end', async () => {
    const pull = new Pull<number>(numbers(5), noCancel)
    const taken: number[] = []
    while (!pull.ended) {
      const items = await pull.next(2, PATIENCE_MS)
      expect(items.length).to.be.lessThan(3)
      taken.push(...items)
    }
    expect(taken).to.deep.equal([0, 1, 2, 3, 4])
  })

  it('returns the items before a failure, then the failure, which is harmless when nothing is read any more', async () => {
    const stream = new PassThrough({ objectMode: true })
    const pull = new Pull<number>(stream, noCancel)
    stream.write(1)
    stream.emit('error', new Error('lost'))
    expect(await pull.next(10, PATIENCE_MS)).to.deep.equal([1])
    expect(await pull.next(10, PATIENCE_MS).catch((error: Error) => error.message)).to.equal('lost')
    pull.close()
    stream.emit('error', new Error('lost again'))
  })

  it('returns together the items of the same turn of the event loop', async () => {
    const stream = new PassThrough({ objectMode: true })
    const pull = new Pull<number>(Promise.resolve(stream), noCancel)
    const taking = pull.next(10, PATIENCE_MS)
    for (let n = 0; n < 5; n++) {
      await Promise.resolve()
      stream.write(n)
    }
    expect(await taking).to.deep.equal([0, 1, 2, 3, 4])
  })

  it('pauses the read while many items wait, and resumes it when they are taken', async () => {
    const stream = numbers(5000)
    const pull = new Pull<number>(stream, noCancel)
    const first = await pull.next(10, PATIENCE_MS)
    await new Promise(setImmediate)
    expect(stream.isPaused()).to.equal(true)
    const taken = [...first]
    while (!pull.ended) taken.push(...(await pull.next(700, PATIENCE_MS)))
    expect(taken).to.deep.equal(Array.from({ length: 5000 }, (_, n) => n))
  })

  it('fails when the read fails', async () => {
    const pull = new Pull<number>(Promise.reject(new Error('no connection')), noCancel)
    expect(await pull.next(10, PATIENCE_MS).catch((error: Error) => error.message)).to.equal('no connection')
    pull.close()
  })

  it('returns nothing after a silence, or when it is interrupted', async () => {
    const pull = new Pull<number>(new PassThrough({ objectMode: true }), noCancel)
    expect(await pull.next(1, 10)).to.deep.equal([])
    const waiting = pull.next(1, 60_000)
    pull.interrupt()
    expect(await waiting).to.deep.equal([])
  })

  it('lets an abandoned read end, so that the client can release it', async () => {
    const read = Object.assign(numbers(1000), { cancel: noCancel })
    const ended = once(read, 'end')
    for await (const each of drained(read, PATIENCE_MS)) if (each === 3) break
    await ended
  })

  it('fails when nothing comes for too long', async () => {
    const silent = Object.assign(new PassThrough({ objectMode: true }), { cancel: noCancel })
    const error = await drained(silent, 10)
      .next()
      .catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(ConnectionLost)
  })
})
