import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { reviveWhenStuck } from '../../../infra/mongodb/revival.ts'
import { pause, until } from '../event-log/setting.ts'

const SILENT_MS = 300

/** The part of a client that the revival uses. */
class Client extends EventEmitter {
  readonly done: string[] = []
  /** Number of connection attempts that fail. */
  refusals = 0
  tell(event: 'Started' | 'Succeeded' | 'Failed', { server = 'one:27017', awaited = false } = {}): void {
    this.emit(`serverHeartbeat${event}`, { connectionId: server, awaited })
  }
  async close(): Promise<void> {
    this.done.push('close')
  }
  async connect(): Promise<this> {
    this.done.push('connect')
    if (this.refusals-- > 0) throw new Error('no server answers')
    return this
  }
}

describe('A MongoDB client that has stopped looking for its servers', () => {
  const watched = (isOut: () => boolean) => {
    const client = new Client()
    const said: string[] = []
    const stop = reviveWhenStuck(client as never, { isOut, say: (message) => said.push(message), silentMs: SILENT_MS })
    return { client, said, stop }
  }

  it('is reconnected, and once more if that does not help', async () => {
    const { client, said, stop } = watched(() => true)
    await until(() => client.done.length >= 4)
    stop()
    expect(client.done.slice(0, 4)).to.deep.equal(['close', 'connect', 'close', 'connect'])
    expect(said[0]).to.match(/stuck/)
  })

  it('is reconnected sooner when an answer is missing', async () => {
    const client = new Client()
    const parts = { isOut: () => true, say: () => undefined, silentMs: 60_000, unansweredMs: SILENT_MS }
    const stop = reviveWhenStuck(client as never, parts)
    client.tell('Started')
    client.tell('Failed')
    await pause(2 * SILENT_MS)
    expect(client.done).to.deep.equal([])
    client.tell('Started')
    await until(() => client.done.length === 2)
    await pause(2 * SILENT_MS)
    stop()
    expect(client.done).to.deep.equal(['close', 'connect'])
  })

  it('is reconnected when one server of several does not answer, and the others do', async () => {
    const client = new Client()
    const parts = { isOut: () => true, say: () => undefined, silentMs: 60_000, unansweredMs: SILENT_MS }
    const stop = reviveWhenStuck(client as never, parts)
    client.tell('Started', { server: 'two:27017', awaited: true })
    await pause(2 * SILENT_MS)
    expect(client.done, 'where the answer is to come when there is news').to.deep.equal([])
    client.tell('Started')
    client.tell('Succeeded', { server: 'two:27017', awaited: true })
    await until(() => client.done.length === 2)
    stop()
    expect(client.done).to.deep.equal(['close', 'connect'])
  })

  it('is reconnected without pause until it succeeds, since nothing else looks for a server', async () => {
    const client = new Client()
    client.refusals = 3
    const parts = { isOut: () => true, say: () => undefined, silentMs: 60_000, unansweredMs: SILENT_MS }
    const stop = reviveWhenStuck(client as never, parts)
    client.tell('Started')
    await until(() => client.done.length === 5)
    await pause(2 * SILENT_MS)
    stop()
    expect(client.done).to.deep.equal(['close', 'connect', 'connect', 'connect', 'connect'])
  })

  it('is no longer reconnected after the watch is stopped', async () => {
    const client = new Client()
    client.refusals = Number.POSITIVE_INFINITY
    const parts = { isOut: () => true, say: () => undefined, silentMs: 60_000, unansweredMs: SILENT_MS }
    const stop = reviveWhenStuck(client as never, parts)
    client.tell('Started')
    await until(() => client.done.length >= 3)
    stop()
    const { length } = client.done
    await pause(2 * SILENT_MS)
    expect(client.done).to.have.lengthOf(length)
  })

  it('is left alone while it looks for servers, and while nothing is wrong', async () => {
    const looking = watched(() => true)
    const beating = setInterval(() => looking.client.tell('Failed'), SILENT_MS / 4)
    const well = watched(() => false)
    await pause(4 * SILENT_MS)
    clearInterval(beating)
    for (const { client, stop } of [looking, well]) {
      stop()
      expect(client.done).to.deep.equal([])
    }
  })
})
