import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { ordersFollowPurchases } from '../../../domain/purchases/orders-follow.ts'
import { DELIVERY, PURCHASE } from '../../../domain/purchases/providers.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { sendNotification, signed, stripeAccount, stripeEvent } from '../../support/traffic/payment-traffic.ts'
import { deliver, openPurchases, reportsOf, soldElsewhere } from '../../support/traffic/purchase-traffic.ts'
import { unbound } from '../../support/unbound.ts'

const SECRET = 'whsec_of_the_limits'
const METRICS_TOKEN = 'the-token-of-the-scraper'
const PIECE = 'x'.repeat(500_000)

describe('strangers', () => {
  let service: TestService
  let tenant: Tenant
  let account: number
  const sockets: Socket[] = []
  before(async () => {
    service = await startTestService({ MILLRACE_METRICS_TOKEN: METRICS_TOKEN, MILLRACE_BEHIND_PROXY: '1' })
    tenant = await service.tenant()
    account = await stripeAccount(tenant, SECRET)
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  /** Opens a connection from an address and sends most of a body. Resolves to the status, or to 0 when there is no answer. */
  const hold = (from: string, lines: readonly string[], body = PIECE): { readonly status: Promise<number> } => {
    const { hostname, port } = new URL(service.publicUrl)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    const status = new Promise<number>((resolve) => {
      socket.once('data', (data) => resolve(Number(data.toString('latin1').slice(9, 12))))
      socket.on('error', () => resolve(0))
      socket.on('close', () => resolve(0))
    })
    socket.write(`${[...lines, 'Host: localhost', `X-Forwarded-For: ${from}`].join('\r\n')}\r\n\r\n${body}`)
    return { status }
  }
  const notificationHead = (length = 'Content-Length: 524288') => [
    `POST /payments/gateway_accounts/${account}/notifications HTTP/1.1`,
    `Stripe-Signature: ${signed('', SECRET)}`,
    length,
  ]
  const notify = () => {
    const body = stripeEvent('charge.refunded', { payment_intent: 'pi_1', amount_refunded: 1, currency: 'usd' })
    return sendNotification(service, account, body, signed(body, SECRET))
  }
  /** Waits until some of the held connections are answered with a status. */
  const answered = async (held: readonly { readonly status: Promise<number> }[], status: number, least: number) => {
    let count = 0
    await new Promise<void>((resolve) => {
      for (const one of held)
        void one.status.then((got) => {
          if (got === status && ++count === least) resolve()
        })
    })
  }
  const metricOf = async (operation: string, status: number): Promise<number> => {
    const metrics = await (
      await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    ).text()
    const line = new RegExp(`millrace_requests_refused_total\\{operation="${operation}",status="${status}"\\} (\\d+)`)
    return Number(line.exec(metrics)?.[1] ?? 0)
  }

  it('are limited by their address, however many there are', async () => {
    const { publicUrl } = await startTestService({ MILLRACE_PUBLIC_RATE_LIMIT: '60', MILLRACE_BEHIND_PROXY: '1' })
    const get = (from: string, path = '/nothing') => fetch(publicUrl + path, { headers: { 'x-forwarded-for': from } })
    const statuses: number[] = []
    for (let number = 0; number < 11; number++) statuses.push((await get('203.0.113.7')).status)
    expect(statuses).to.deep.equal([...Array(10).fill(404), 429])
    const refused = await get('203.0.113.7', '/images/1/abcdefghijklmnopqrstuvwx')
    expect(refused.status).to.equal(429)
    expect(Number(refused.headers.get('retry-after'))).to.equal(1)
    expect((await get('203.0.113.8')).status, 'another address').to.equal(404)
    expect((await get('198.51.100.1, 203.0.113.7')).status, 'what a client says of itself').to.equal(429)
    for (let number = 0; number < 10; number++) await get(`2001:db8:1:2::${number}`)
    expect((await get('2001:db8:1:2:ffff::1')).status, 'another address of the same network').to.equal(429)
  })

  it('cause no error of the service when a body breaks off', async () => {
    const before = await metricOf('notification', 400)
    for (const part of ['', 'x', 'x'.repeat(100_000)]) {
      const held = hold('198.18.0.2', notificationHead(), part)
      await once(sockets.at(-1)!, 'ready')
      await new Promise((resolve) => setTimeout(resolve, 20))
      sockets.at(-1)!.destroy()
      expect(await held.status).to.equal(0)
    }
    for (const until = Date.now() + 10_000; Date.now() < until; ) {
      if ((await metricOf('notification', 400)) >= before + 3) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await metricOf('notification', 400)).to.equal(before + 3)
    expect(await metricOf('notification', 500)).to.equal(0)
  })

  it('cannot fill the memory with bodies: those of one address are bounded, and those of all', async () => {
    const one = Array.from({ length: 9 }, () => hold('192.0.2.1', notificationHead()))
    await answered(one, 429, 1)
    const many = Array.from({ length: 60 }, (_, index) => hold(`192.0.2.${index + 2}`, notificationHead()))
    await answered(many, 503, 30)
    for (const socket of sockets.splice(0)) socket.destroy()
    let status = 503
    for (const until = Date.now() + 10_000; status === 503 && Date.now() < until; ) status = await notify()
    expect(status, 'after they have gone').to.equal(204)
  })

  it('cannot fill the memory with tiny pieces of bodies either', async () => {
    const before = process.memoryUsage()
    const chunks = '1\r\nx\r\n'.repeat(80_000)
    const held = hold('198.18.0.1', notificationHead('Transfer-Encoding: chunked'), chunks)
    await once(sockets.at(-1)!, 'drain')
    const after = process.memoryUsage()
    expect(after.heapUsed + after.external - before.heapUsed - before.external).to.be.lessThan(30 * 1024 * 1024)
    sockets.at(-1)!.destroy()
    expect(await held.status).to.equal(0)
  })

  it('must sign purchases within five minutes from now, before their body is read', async () => {
    const receiver = await openPurchases(tenant, await soldElsewhere(tenant))
    const said = reportsOf('bounds', 'plan_1', 'bounds@example.com')
    for (const minutes of [-6, 6]) {
      const at = new Date(Date.now() + minutes * 60_000)
      expect((await deliver(receiver, said.paid('10:00'), { at })).status, `${minutes} minutes`).to.equal(401)
    }
    const head = (timestamp: string) => [
      `POST ${new URL(receiver.url).pathname} HTTP/1.1`,
      ...[
        'Webhook-Id: msg_a',
        `Webhook-Timestamp: ${timestamp}`,
        'Webhook-Signature: v1,abc',
        'Content-Length: 200000',
      ],
    ]
    const now = Math.floor(Date.now() / 1000)
    for (const timestamp of ['', 'soon', `${now}x`, String(now - 400), String(now + 400)])
      expect(await hold('198.18.0.3', head(timestamp), '').status, timestamp).to.equal(401)
  })

  it('cause commands for what a report of a purchase changes alone, however many came before', async () => {
    const receiver = await openPurchases(tenant, await soldElsewhere(tenant), 'plan_many')
    const said = reportsOf('many', 'plan_many', 'many@example.com')
    for (let minute = 10; minute < 22; minute++)
      expect((await deliver(receiver, said.failed(`10:${minute}`, minute))).status).to.equal(200)
    const { live } = service.background.stores.readModels
    const where = { external_purchase_endpoint_id: receiver.id }
    const deliveries = async () => {
      await service.caughtUp()
      return live.find(DELIVERY, { where })
    }
    while ((await deliveries()).some(({ processing_status }) => processing_status === 'received'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    const all = await deliveries()
    expect(all).to.have.length(12)
    const event = { stream: `${PURCHASE}-${all[0]!.purchase_id}` } as RecordedEvent
    expect(await ordersFollowPurchases.react(event, unbound(live), () => 1)).to.deep.equal([])
  })
})
