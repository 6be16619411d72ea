import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { collect, events, fresh, pause, type Setting, until } from './setting.ts'

export function subscribing(setting: Setting): void {
  it('hands over the past, then the present, without gap or repetition while others append', async () => {
    const { log } = setting()
    const after = await log.lastPosition()
    for (let n = 0; n < 4; n++) await log.append({ stream: fresh('past'), expected: -1, events: events(100) })
    const received: RecordedEvent[] = []
    let seenWhenLive = -1
    const onLive = () => {
      seenWhenLive = received.length
    }
    const subscription = log.subscribe((batch) => void received.push(...batch), { after, batchSize: 64, onLive })
    const writer = async () => {
      for (let n = 0; n < 40; n++) await log.append({ stream: fresh('present'), expected: -1, events: events(2) })
    }
    await Promise.all(Array.from({ length: 6 }, writer))
    await until(() => received.length >= 880)
    await pause(20)
    expect(received).to.deep.equal(await collect(log.readAll({ after })))
    expect(seenWhenLive).to.be.at.least(400)
    await subscription.close()
  })

  it('starts behind a position, and at once when there is no past', async () => {
    const { log } = setting()
    await log.append({ stream: fresh('past'), expected: -1, events: events(5) })
    const after = await log.lastPosition()
    const received: RecordedEvent[] = []
    let live = 0
    const subscription = log.subscribe((batch) => void received.push(...batch), { after, onLive: () => live++ })
    await until(() => live === 1)
    const stream = fresh('present')
    await log.append({ stream, expected: -1, events: events(3) })
    await until(() => received.length === 3)
    expect(received.every((each) => each.stream === stream)).to.equal(true)
    expect(live).to.equal(1)
    await subscription.close()
  })

  it('waits for the subscriber, and hands over at most a batch at a time', async () => {
    const { log } = setting()
    const after = await log.lastPosition()
    const received: RecordedEvent[] = []
    const sizes: number[] = []
    let running = 0
    let most = 0
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const subscription = log.subscribe(
      async (batch) => {
        most = Math.max(most, ++running)
        sizes.push(batch.length)
        received.push(...batch)
        await gate
        running--
      },
      { after, batchSize: 10 },
    )
    await log.append({ stream: fresh('first'), expected: -1, events: events(1) })
    await until(() => sizes.length === 1)
    for (let n = 0; n < 6; n++) await log.append({ stream: fresh('more'), expected: -1, events: events(25) })
    await pause(30)
    expect(sizes).to.deep.equal([1])
    release()
    await until(() => received.length === 151)
    expect(most).to.equal(1)
    expect(Math.max(...sizes)).to.equal(10)
    expect(received).to.deep.equal(await collect(log.readAll({ after })))
    await subscription.close()
  })

  it('hands over nothing more once it is closed, and closes when the batch under way has settled', async () => {
    const { log } = setting()
    const after = await log.lastPosition()
    await log.append({ stream: fresh('past'), expected: -1, events: events(50) })
    let batches = 0
    let settled = false
    const subscription = log.subscribe(
      async () => {
        batches++
        await pause(40)
        settled = true
      },
      { after, batchSize: 5 },
    )
    await until(() => batches === 1)
    await subscription.close()
    expect(settled).to.equal(true)
    await log.append({ stream: fresh('present'), expected: -1, events: events(5) })
    await pause(30)
    expect(batches).to.equal(1)
    await subscription.close()
  })

  it('ends with the error of its subscriber, and leaves other subscriptions alone', async () => {
    const { log } = setting()
    const after = await log.lastPosition()
    const errors: unknown[] = []
    const healthy: RecordedEvent[] = []
    let calls = 0
    const failing = log.subscribe(
      async () => {
        calls++
        throw new Error('cannot take this')
      },
      { after, batchSize: 2, onError: (error) => errors.push(error) },
    )
    const other = log.subscribe((batch) => void healthy.push(...batch), { after })
    await log.append({ stream: fresh('a'), expected: -1, events: events(6) })
    await until(() => errors.length === 1)
    await log.append({ stream: fresh('b'), expected: -1, events: events(1) })
    await until(() => healthy.length === 7)
    expect(calls).to.equal(1)
    expect(errors).to.have.length(1)
    expect(errors[0]).to.have.property('message', 'cannot take this')
    await Promise.all([failing.close(), other.close()])
  })

  it('lets a subscriber append to the log', async () => {
    const { log } = setting()
    const after = await log.lastPosition()
    const reactions = fresh('reactions')
    let seen = 0
    const subscription = log.subscribe(
      async (batch) => {
        for (const each of batch) {
          if (each.stream === reactions) seen++
          else await log.append({ stream: reactions, expected: 'any', events: events(1) })
        }
      },
      { after },
    )
    await log.append({ stream: fresh('cause'), expected: -1, events: events(5) })
    await until(() => seen === 5)
    await subscription.close()
    expect(await collect(log.readStream(reactions))).to.have.length(5)
  })

  it('continues where it stopped when the log is opened again', async () => {
    const { log, reopen } = setting()
    const after = await log.lastPosition()
    await log.append({ stream: fresh('a'), expected: -1, events: events(20) })
    const received: RecordedEvent[] = []
    let again = log
    while (received.length < 20) {
      const wanted = received.length + 7
      const subscription = again.subscribe((batch) => void received.push(...batch), {
        after: received.at(-1)?.position ?? after,
        batchSize: 7,
      })
      await until(() => received.length >= Math.min(wanted, 20))
      await subscription.close()
      if (again === log) again = await reopen()
    }
    expect(received).to.deep.equal(await collect(again.readAll({ after })))
  })
}
