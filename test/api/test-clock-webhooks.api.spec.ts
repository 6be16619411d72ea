import { expect } from 'chai'
import { answers, startReceiver } from '../support/servers/receiver.ts'
import { startTestService } from '../support/service.ts'

const SECOND = 1000
const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('webhooks of a test workspace', () => {
  it('are tried again by its clock', async () => {
    const service = await startTestService({ MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })
    const { api, workspaceId } = await service.tenant({ test: true })
    const receiver = await startReceiver()
    receiver.behave((received, response) => answers(receiver.received.length <= 3 ? 503 : 200)(received, response))
    const own = `/workspaces/${workspaceId}`
    const endpoint = { url: receiver.url, name: 'Test', event_type_ids: ['$contact.created'] }
    const advance = async (ms: number) => {
      const { now } = (await api.get(`${own}/test_clock`)).body
      expect(
        (await api.post(`${own}/test_clock`, { to: new Date(Date.parse(now) + ms).toISOString() })).status,
      ).to.equal(202)
      while ((await api.get(`${own}/test_clock`)).body.state === 'advancing') await pause(5)
    }
    await advance(365 * 24 * 3600 * SECOND)
    const { now: begun } = (await api.get(`${own}/test_clock`)).body
    expect(
      (await api.post(`${own}/webhooks/outgoing/endpoints`, { webhooks_outgoing_endpoint: endpoint })).status,
    ).to.equal(201)
    expect((await api.post(`${own}/contacts`, { contact: { first_name: 'Ada' } })).status).to.equal(201)
    await receiver.until(1)
    const since = Date.now()
    await advance(3600 * SECOND)
    expect(Date.now() - since, 'nobody waits for it').to.be.lessThan(10 * SECOND)
    const [event] = (await api.get(`${own}/webhooks/outgoing/events`)).body
    const [delivery] = event.deliveries
    const times = delivery.attempts.map(({ at }: { at: string }) => Date.parse(at))
    expect([delivery.status, times.length, receiver.received.length]).to.deep.equal(['delivered', 4, 4])
    expect(event.created_at > begun).to.equal(true)
    for (const [index, wait] of [SECOND, 15 * SECOND, 60 * SECOND].entries())
      expect(times[index + 1] - times[index]).to.be.within(wait, wait * 1.1 + 1000)
    await receiver.close()
  })
})
