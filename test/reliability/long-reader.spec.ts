import { expect } from 'chai'
import { logFile } from '../../infra/event-log/sqlite/store.ts'
import { connect } from '../../infra/sqlite/binding.ts'
import { caughtUp } from './caught-up.ts'
import { figures, inForm, patience } from './form.ts'
import { firstLife } from './history.ts'
import { send, type Target } from './ledger.ts'
import { type Ground, ground, type Life } from './life.ts'

const EVENTS = inForm(3_000, 20_000)
const AT_ONCE = 64
const MIB = 1024 * 1024
/** What the log may keep beside itself for good. */
const KEPT_BYTES = 64 * MIB

describe('somebody who reads the log for long', function () {
  this.timeout(patience)
  let places: Ground
  let data: string
  let life: Life
  let target: Target
  let made = 0

  before(async () => {
    places = ground('reader')
    data = places.place()
    ;({ life, target } = await firstLife(data))
  })
  after(async () => {
    await life.stop('SIGKILL')
    places.clear()
  })

  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${target.url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  }
  const writeAhead = () => metric('millrace_write_ahead_bytes\\{file="log"\\}')

  /** Makes contacts until the log has so many events more, and reads one now and then. */
  const write = async (events: number): Promise<void> => {
    const contacts = `/workspaces/${target.workspaceId}/contacts`
    const end = (await metric('millrace_log_position')) + events
    let isThere = false
    const writer = async () => {
      while (!isThere) {
        const number = ++made
        const contact = { first_name: `Reader ${number}`, last_name: 'x'.repeat(1000), custom_attributes: { number } }
        const answer = await send(target, 'POST', contacts, { body: { contact } })
        expect(answer?.status, JSON.stringify(answer?.body)).to.equal(201)
        if (number % 50 > 0) continue
        expect((await send(target, 'GET', `/contacts/${answer!.body.id}`))?.status).to.equal(200)
        isThere = isThere || (await metric('millrace_log_position')) >= end
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, writer))
  }

  it('holds up nobody, is seen in the metric, and leaves the file as it should be', async () => {
    const reader = connect(logFile(data), true)
    reader.exec('BEGIN')
    const last = () => (reader.prepare('SELECT max(position) AS last FROM event').get() as { last: number }).last
    const seen = last()
    const before = await writeAhead()
    await write(EVENTS)
    const during = await writeAhead()
    expect(last(), 'what the reader sees').to.equal(seen)
    expect(during, 'bytes beside the log').to.be.greaterThan(before + EVENTS * 500)
    reader.exec('COMMIT')
    expect(last()).to.be.at.least(seen + EVENTS)
    reader.close()

    // Some checkpoints later it has begun anew, and what it has is enough.
    await write(2 * EVENTS)
    const after = await writeAhead()
    await write(EVENTS)
    const later = await writeAhead()
    expect(later, 'bytes beside the log, some time later').to.be.at.most(Math.max(after, KEPT_BYTES))
    expect(later).to.be.at.most(KEPT_BYTES)
    await caughtUp(target.url)
    const sizes = [before, during, after, later].map((bytes) => (bytes / MIB).toFixed(1))
    figures('long reader', `${EVENTS} events beside it: the write-ahead log from ${sizes.join(' to ')} MiB`)
  })
})
