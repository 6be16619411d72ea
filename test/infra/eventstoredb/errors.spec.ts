import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { EventStoreAccessDenied, EventStoreUnavailable } from '../../../infra/eventstoredb/errors.ts'
import type { EventStoreLog } from '../../../infra/eventstoredb/event-store-log.ts'
import { openEventStoreLog } from '../../../infra/eventstoredb/open.ts'
import { certificate, key } from '../../servers/eventstoredb/certificate.ts'
import { MemoryStore } from '../../servers/eventstoredb/memory-store.ts'
import { TestServer } from '../../servers/eventstoredb/server.ts'
import { collect, events, fresh, pause, taken } from '../event-log/setting.ts'

const PASSWORD = 'opensesame'

describe('The error for an EventStoreDB that cannot be used', () => {
  const servers: TestServer[] = []
  const logs: EventStoreLog[] = []
  let directory: string

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'millrace-'))
    await writeFile(path.join(directory, 'ca.pem'), certificate)
  })
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()))
    await Promise.all(servers.splice(0).map((server) => server.stop()))
  })
  after(() => rm(directory, { recursive: true }))

  const started = async (options: Parameters<typeof TestServer.start>[0] = {}) => {
    const server = await TestServer.start(options)
    servers.push(server)
    return server
  }
  const opened = (url: string) => {
    const log = openEventStoreLog({ url, patienceMs: 300, backoff: { firstMs: 1, mostMs: 50 } })
    logs.push(log)
    return log
  }
  const failure = async (url: string) => {
    const error = await opened(url)
      .lastPosition()
      .then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      )
    expect(error, 'an error').to.be.instanceOf(Error)
    expect(error?.message).not.to.include(PASSWORD)
    return error!
  }
  const secured = { key, certificate, user: 'admin', password: PASSWORD }
  const trusting = (server: TestServer, user: string) =>
    `esdb://${user}localhost:${server.port}?tlsCAFile=${encodeURIComponent(path.join(directory, 'ca.pem'))}`

  it('names the address that does not answer, and why', async () => {
    const error = await failure(`esdb://admin:${PASSWORD}@127.0.0.1:1?tls=false`)
    expect(error).to.be.instanceOf(EventStoreUnavailable)
    expect(error.message).to.equal(
      'EventStoreDB cannot be reached at esdb://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  it('names the host that does not exist', async () => {
    const error = await failure('esdb://no-such-host.invalid:2113?tls=false')
    expect(error).to.be.instanceOf(EventStoreUnavailable)
    expect(error.message).to.match(
      /^EventStoreDB cannot be reached at esdb:\/\/no-such-host\.invalid:2113: Name resolution failed/,
    )
  })

  it('says where a connection string is wrong without repeating it', () => {
    const url = `https://admin:${PASSWORD}@127.0.0.1:2113`
    expect(() => openEventStoreLog({ url }))
      .to.throw(
        /^Not a connection string for EventStoreDB, .*: at position 0, expected esdb:\/\/ or esdb\+discover:\/\/\.$/,
      )
      .with.property('message')
      .that.does.not.include(PASSWORD)
    expect(() => openEventStoreLog({ url: 'esdb://localhost:port' })).to.throw(/expected port number/)
    expect(() => openEventStoreLog({ url: 'esdb://localhost?tlsCAFile=/nowhere' })).to.throw(
      /Failed to load certificate/,
    )
  })

  it('distinguishes wrong credentials from missing ones, and accepts the right ones', async () => {
    const server = await started({ secured })
    const wrong = await failure(trusting(server, `admin:${PASSWORD}x@`))
    expect(wrong).to.be.instanceOf(EventStoreAccessDenied)
    expect(wrong.message).to.match(/^EventStoreDB at esdb:\/\/localhost:\d+ does not accept the user name and password/)
    const missing = await failure(trusting(server, ''))
    expect(missing).to.be.instanceOf(EventStoreAccessDenied)
    expect(missing.message).to.match(/denies access: the connection string must name a user/)
    const log = opened(trusting(server, `admin:${PASSWORD}@`))
    taken(await log.append({ stream: fresh('a'), expected: -1, events: events(1), take: [{ key: fresh('k') }] }))
  })

  it('ends a subscription that is not authorised', async () => {
    const server = await started({ secured })
    const error = await new Promise((resolve) => {
      opened(trusting(server, 'admin:wrong@')).subscribe(() => {}, { onError: resolve })
    })
    expect(error).to.be.instanceOf(EventStoreAccessDenied)
  })

  it('distinguishes an untrusted certificate from a server without TLS', async () => {
    const server = await started({ secured })
    expect((await failure(`esdb://localhost:${server.port}`)).message).to.match(
      /certificate is not trusted; .*tlsCAFile/,
    )
    const plain = await started()
    expect((await failure(`esdb://localhost:${plain.port}`)).message).to.match(
      /does not speak TLS there; add \?tls=false/,
    )
  })

  it('follows a node to the leader that it names', async () => {
    const store = new MemoryStore()
    const leader = await started({ store })
    const follower = await started({ store, leader })
    const log = opened(follower.url)
    const stream = fresh('a')
    taken(await log.append({ stream, expected: -1, events: events(2), take: [{ key: fresh('k') }] }))
    expect(await collect(log.readStream(stream))).to.have.length(2)
  })

  it('says that a node does not lead when its leader cannot be reached', async () => {
    const gone = await started()
    await gone.stop()
    const follower = await started({ leader: gone })
    const error = await failure(follower.url)
    expect(error).to.be.instanceOf(EventStoreUnavailable)
    expect(error.message).to.match(
      /is not the leader of its cluster: it names 127\.0\.0\.1:\d+, which does not take the call/,
    )
  })

  it('finds the leader among several addresses, and another one when it is gone', async () => {
    const store = new MemoryStore()
    const first = await started({ store })
    const second = await started({ store, leader: first })
    const members = () => [first, second].map(({ port }) => ({ port, leader: port === leading.port }))
    let leading = first
    first.members = members
    second.members = members
    const log = opened(`esdb://127.0.0.1:${first.port},127.0.0.1:${second.port}?tls=false&discoveryInterval=10`)
    const stream = fresh('a')
    taken(await log.append({ stream, expected: -1, events: events(1) }))
    await first.stop()
    leading = second
    second.lead()
    taken(await log.append({ stream, expected: 0, events: events(1) }))
    expect(await collect(log.readStream(stream))).to.have.length(2)
  })

  it('says that no node leads when none can be found', async () => {
    const [one, two] = [await started(), await started()]
    await Promise.all([one.stop(), two.stop()])
    const error = await failure(`esdb://127.0.0.1:${one.port},127.0.0.1:${two.port}?tls=false&maxDiscoverAttempts=1`)
    expect(error.message).to.match(/none of these addresses knows of a node that leads the cluster/)
  })

  it('refuses what the server would refuse for good, before it is sent', async () => {
    const log = opened((await started()).url)
    const { append } = log
    const refusals = [
      { stream: '$system', expected: -1, events: events(1) },
      { stream: '~claim-1', expected: -1, events: events(1) },
      { stream: '', expected: -1, events: events(1) },
      { stream: 'a-1', expected: -2, events: events(1) },
      { stream: 'a-1', expected: -1, events: [{ ...events(1)[0]!, id: 'not a uuid' }] },
      { stream: 'a-1', expected: -1, events: [{ ...events(1)[0]!, type: '' }] },
    ]
    for (const refused of refusals) {
      expect(await append.call(log, refused).catch((error: unknown) => error)).to.be.instanceOf(Error)
    }
    const whole = events(1)[0]!
    const large = { ...whole, data: { text: 'x'.repeat(1 << 20) } }
    const error = await log.append({ stream: 'a-1', expected: -1, events: [large] }).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Refusal).with.property('kind', 'tooLarge')
    expect((error as Error).message).to.match(/at most 1,048,576 bytes/)
  })

  it('can be waited for, but only when that helps', async () => {
    const server = await started({ secured })
    await server.stop()
    const [right, wrong] = [opened(trusting(server, `admin:${PASSWORD}@`)), opened(trusting(server, 'admin:wrong@'))]
    const ready = Promise.allSettled([right.ready(), wrong.ready()])
    await pause(400)
    await server.restart()
    const [first, second] = await ready
    expect(first.status).to.equal('fulfilled')
    expect(second).to.have.property('reason').that.is.instanceOf(EventStoreAccessDenied)
  })

  it('refuses to work once it is closed', async () => {
    const log = opened((await started()).url)
    await log.lastPosition()
    await log.close()
    expect(await log.lastPosition().catch((error: unknown) => error)).to.have.property(
      'message',
      'The event log has been closed.',
    )
    expect(() => log.subscribe(() => {})).to.throw('The event log has been closed.')
  })
})
