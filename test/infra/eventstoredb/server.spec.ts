import { createRequire } from 'node:module'
import { EventStoreDBClient, eventTypeFilter, jsonEvent, streamNameFilter } from '@eventstore/db-client'
import { expect } from 'chai'
import { faulty } from '../../servers/eventstoredb/faults.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { fresh, until } from '../event-log/setting.ts'

/** Features of the client that the adapter does not use, so that the test server gets them right too. */
describe('The EventStoreDB test server', () => {
  let server: TestServer
  let client: EventStoreDBClient

  beforeEach(async () => {
    server = await TestServer.start()
    client = EventStoreDBClient.connectionString(server.url)
  })
  afterEach(async () => {
    await client.dispose()
    await server.stop()
  })

  const added = (n: number, type = 'Added') => jsonEvent({ type, data: { n } })
  const failing = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('takes appends over the batch stream, and repeats by event id at any revision', async () => {
    const stream = fresh('a')
    const events = [added(1), added(2)]
    const first = await client.appendToStream(stream, events, { expectedRevision: 'no_stream' })
    expect(first.nextExpectedRevision).to.equal(1n)
    for (const expectedRevision of ['no_stream', 'any', 'stream_exists'] as const) {
      expect(await client.appendToStream(stream, events, { expectedRevision })).to.deep.equal(first)
    }
    const large = Array.from({ length: 50 }, (_, n) => added(n))
    const second = await client.appendToStream(stream, large, { expectedRevision: 1n, batchAppendSize: 500 })
    expect(second.nextExpectedRevision).to.equal(51n)
  })

  it('reports a wrong expected revision over the batch stream', async () => {
    const stream = fresh('a')
    const absent = await failing(client.appendToStream(stream, added(1), { expectedRevision: 3n }))
    expect(absent).to.include({ type: 'wrong-expected-version', actualVersion: 'no_stream' })
    server.misbehave = faulty('overtake', (call) => call.stream === stream)
    const late = await failing(client.appendToStream(stream, added(1), { expectedRevision: 'no_stream' }))
    expect(late).to.include({ type: 'wrong-expected-version', actualVersion: 0n })
    expect(await failing(client.appendToStream(fresh('b'), added(1), { expectedRevision: 'stream_exists' }))).to.be.an(
      'error',
    )
  })

  it('deletes a stream so that it reads as absent and goes on where it was', async () => {
    const stream = fresh('a')
    await client.appendToStream(stream, [added(1), added(2)])
    expect(await failing(client.deleteStream(stream, { expectedRevision: 7n }))).to.include({
      type: 'wrong-expected-version',
    })
    await client.deleteStream(stream, { expectedRevision: 1n })
    expect(await failing(client.readStream(stream).forEach(() => {}))).to.include({ type: 'stream-not-found' })
    const again = await client.appendToStream(stream, added(3), { expectedRevision: 'no_stream' })
    expect(again.nextExpectedRevision).to.equal(2n)
  })

  it('filters by prefixes and by event type, sends checkpoints and tells when it has caught up', async () => {
    const name = fresh('wanted')
    for (let n = 0; n < 40; n++) await client.appendToStream(fresh('other'), added(n, 'Other'))
    await client.appendToStream(name, added(1, 'Wanted'))
    const seen: string[] = []
    let checkpoints = 0
    let caughtUp = 0
    const checkpointReached = () => void checkpoints++
    const prefixes = ['wanted', 'nothing']
    const byStream = client.subscribeToAll({
      filter: streamNameFilter({ prefixes, checkpointReached, maxSearchWindow: 10 }),
    })
    const byType = client.subscribeToAll({ filter: eventTypeFilter({ regex: '^Wan', checkpointReached }) })
    for (const subscription of [byStream, byType]) {
      subscription.on('caughtUp', () => caughtUp++).on('data', ({ event }) => seen.push(event!.streamId))
    }
    await until(() => caughtUp === 2)
    await until(() => seen.length === 2)
    expect(checkpoints).to.be.greaterThan(4)
    await client.appendToStream(name, [added(2, 'Wanted'), added(3, 'Wanted')])
    await until(() => seen.length === 6)
    expect(new Set(seen)).to.deep.equal(new Set([name]))
    await Promise.all([byStream.unsubscribe(), byType.unsubscribe()])
  })

  it('sends one stream to those who subscribe to it, from behind a revision', async () => {
    const stream = fresh('a')
    await client.appendToStream(stream, [added(0), added(1), added(2)])
    const revisions: bigint[] = []
    const subscription = client.subscribeToStream(stream, { fromRevision: 0n })
    subscription.on('data', ({ event }) => revisions.push(event!.revision))
    await until(() => revisions.length === 2)
    await client.appendToStream(stream, added(3))
    await until(() => revisions.length === 3)
    expect(revisions).to.deep.equal([1n, 2n, 3n])
    await subscription.unsubscribe()
  })
})

describe('The EventStoreDB client', () => {
  it('has the version whose internals the adapter uses', () => {
    const { version } = createRequire(import.meta.url)('@eventstore/db-client/package.json') as { version: string }
    expect(version).to.equal('6.2.1')
    const client = EventStoreDBClient.connectionString('esdb://127.0.0.1:2113?tls=false') as unknown as object
    for (const part of ['supports', 'getChannel', 'GRPCStreamCreator', 'callArguments'])
      expect(client).to.have.property(part).that.is.a('function')
  })
})
