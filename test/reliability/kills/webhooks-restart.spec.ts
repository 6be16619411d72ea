import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { ROLES } from '../../../infra/config.ts'
import { openBackground, writer } from '../../support/filled.ts'
import { answers, type Receiver, startReceiver } from '../../support/servers/receiver.ts'

describe('webhooks over a restart', () => {
  let data: string
  let receiver: Receiver

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-restart-'))
    receiver = await startReceiver()
  })
  after(async () => {
    await receiver.close()
    await rm(data, { recursive: true, force: true })
  })

  it('are retried when they are due, before the events that wait behind them', async () => {
    receiver.behave(answers(500))
    const first = await openBackground(data, ROLES)
    const write = await writer(first)
    await write.endpoint(receiver.url, ['$contact.created', '$contact.updated'])
    const id = await write.contact('one')
    await receiver.until(1)
    await write.rename(id, 'two')
    await write.rename(id, 'three')
    await wait(200)
    await first.stop()
    expect(receiver.received.map(({ json }) => json.data.first_name)).to.deep.equal(['one'])

    await wait(1200)
    receiver.behave(answers(200))
    const second = await openBackground(data, ROLES)
    const all = await receiver.until(4)
    await wait(300)
    await second.stop()
    expect(all.map(({ json }) => json.data.first_name)).to.deep.equal(['one', 'one', 'two', 'three'])
    expect(all[1]!.headers['webhook-id']).to.equal(all[0]!.headers['webhook-id'])
    expect(receiver.received).to.have.length(4)
  })

  it('are not repeated when nothing is left to do', async () => {
    const background = await openBackground(data, ROLES)
    await wait(500)
    await background.stop()
    expect(receiver.received).to.have.length(4)
  })
})
