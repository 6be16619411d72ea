import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { draftToAnns, orderToSend } from '../reliability/kills/broadcasting.ts'
import { machineClock } from '../reliability/kills/machine-clock.ts'
import { type ApiClient, apiClient, ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { millrace, type Spawned, spawnMillrace } from '../support/millrace.ts'
import { openStripeDouble, STRIPE_KEY, type StripeDouble } from '../support/payments/stripe-double.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { startSink } from '../support/servers/smtp-sink.ts'
import type { Tenant } from '../support/service.ts'
import { shopOf } from '../support/traffic/shop.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ANN = 'ann@owed.example'

describe('a restored backup with a charge, a renewal, a webhook, a mail and a timer that are due', function () {
  this.timeout(240_000)
  let place: string
  let backup: string
  let secret: string
  let receiver: Receiver
  let stripe: StripeDouble
  let sink: Awaited<ReturnType<typeof startSink>>
  let service: Spawned | undefined
  let token: string
  /** Addresses of mails that have begun. */
  const begun: string[] = []
  let isAway = false
  let contactId: number
  let tagId: number

  const start = async (at: string, settings: Readonly<Record<string, string>> = {}): Promise<ApiClient> => {
    service = await spawnMillrace(at, {
      MILLRACE_LOG_LEVEL: 'fatal',
      MILLRACE_ALLOW_PRIVATE_TARGETS: '1',
      MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com',
      MILLRACE_STRIPE_URL: stripe.url,
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=no`,
      ...settings,
    })
    token ??= service.ready.api_key!
    return apiClient(service.ready.origin, token)
  }
  const stop = async () => {
    await service?.stop()
    service = undefined
  }
  const asked = async (at: string, ...args: readonly string[]) => {
    const { code, out, err } = await millrace([...args, '--data', at])
    expect(code, err).to.equal(0)
    return out
  }

  before(async () => {
    place = mkdtempSync(path.join(tmpdir(), 'millrace-owing-'))
    const data = path.join(place, 'data')
    backup = path.join(place, 'backup')
    receiver = await startReceiver()
    stripe = await openStripeDouble()
    sink = await startSink({
      recipient(address) {
        begun.push(address)
        return isAway ? { code: 451, text: 'later' } : undefined
      },
    })
    const api = await start(data)
    const workspaceId = service!.ready.workspace_id
    const inWorkspace = (name: string) => `/workspaces/${workspaceId}${name}`
    const shop = await shopOf({ api, workspaceId } as unknown as Tenant)
    const account = { name: 'Stripe', provider: 'stripe', secret_key: STRIPE_KEY }
    const { id } = ok(await api.post(inWorkspace('/payments/gateway_accounts'), { payments_gateway_account: account }))
    const paying = () => ({
      ...{ gateway_account_id: id, payment_method_id: undefined, payment_method_token: `pm_${randomUUID()}` },
    })
    const monthly = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months' })
    const once = await shop.sells({ amount: '12.50' })
    expect((await shop.buys(monthly, paying())).status).to.equal('completed')
    await eventually(async () => expect(begun, 'the confirmation of the order').to.have.length(1))
    const hook = { url: receiver.url, name: 'Owed', event_type_ids: ['$contact.created'] }
    ok(await api.post(inWorkspace('/webhooks/outgoing/endpoints'), { webhooks_outgoing_endpoint: hook }))
    // From here on nobody answers, so that all is due that follows.
    isAway = true
    receiver.behave((_, response) => response.writeHead(503).end())
    stripe.behaves('is broken')
    const contact = { first_name: 'Ann', email_address: ANN }
    contactId = ok(await api.post(inWorkspace('/contacts'), { contact })).id
    tagId = ok(await api.post(inWorkspace('/contacts/tags'), { contacts_tag: { name: 'due' } })).id
    const tagging = {
      tag_ids: [tagId],
      target_ids: [contactId],
      scheduled_for: new Date(Date.now() + MINUTE).toISOString(),
    }
    ok(await api.post(inWorkspace('/contacts/tag_actions'), { contacts_tag_action: tagging }))
    await orderToSend(api, await draftToAnns(api, workspaceId))
    const before = stripe.asked.length
    await shop.begins(once, paying())
    await eventually(async () => {
      expect(begun).to.include(ANN)
      expect(receiver.received).to.have.length.greaterThan(0)
      expect(stripe.asked.length).to.be.greaterThan(before)
    })
    await asked(data, 'backup', backup)
    await stop()
    secret = path.join(data, 'secret')
    isAway = false
    receiver.behave((_, response) => response.end())
    stripe.behaves('answers')
  })
  afterEach(stop)
  after(async () => {
    await sink.stop()
    await receiver.close()
    await stripe.close()
    rmSync(place, { recursive: true, force: true })
  })

  for (const [name, ageMs, amounts] of [
    ['two minutes', 2 * MINUTE, [1250]],
    ['forty days', 40 * DAY, [3000]],
  ] as const)
    it(`asks nobody before the operator's word, and each once after it, at an age of ${name}`, async () => {
      const at = path.join(place, name.replace(' ', '-'))
      for (const folder of ['log', 'keys']) cpSync(path.join(backup, folder), at, { recursive: true })
      cpSync(secret, path.join(at, 'secret'))
      const clocks = `${at}-clock`
      mkdirSync(clocks)
      const clock = machineClock(clocks)
      clock.forward(ageMs)
      const [mails, hooks, requests, charges] = [
        begun.length,
        receiver.received.length,
        stripe.asked.length,
        stripe.charges.length,
      ]
      const mailed = () => begun.slice(mails)
      const mailedAnn = () => mailed().filter((one) => one === ANN)
      const told = () => receiver.received.length - hooks
      const charged = () => stripe.charges.slice(charges).map(({ amount }) => amount)
      for (let starts = 0; starts < 2; starts++) {
        await start(at, clock.settings)
        expect(JSON.parse(await asked(at, 'copy', 'show', '--json'))).to.include({ data: 'waiting' })
        if (starts === 0) await stop()
      }
      const tags = async () =>
        ok(await apiClient(service!.ready.origin, token).get(`/contacts/${contactId}/applied_tags`))
      expect([mailed(), told(), stripe.asked.length - requests, await tags()]).to.deep.equal([[], 0, 0, []])
      await asked(at, 'copy', 'release')
      await eventually(async () => expect(charged()).to.deep.equal(amounts))
      await eventually(async () => expect(told()).to.equal(1))
      // The relay had asked for a while, which is over then.
      await stop()
      clock.forward(HOUR)
      await start(at, clock.settings)
      await eventually(async () => {
        const held = (await asked(at, 'mails', 'list', '--held', '--json')).trim().split('\n')
        const ofCopy = held.map((one) => JSON.parse(one)).filter(({ reason }) => reason === 'older_copy')
        // The backup may hold the broadcast's job beside its mailing, where it was made before the job had ended.
        expect(new Set(ofCopy.map(({ kind }) => kind))).to.have.keys('broadcast', 'tag-action')
      })
      // What is new follows at once, as the confirmation of an order does whose charge was just made. What is of the copy waits for a further word.
      expect([mailedAnn(), await tags()]).to.deep.equal([[], []])
      await asked(at, 'mails', 'release', '--all')
      await eventually(async () => expect(mailedAnn()).to.have.length(1))
      await eventually(async () =>
        expect((await tags()).map((one: { tag_id: number }) => one.tag_id)).to.deep.equal([tagId]),
      )
      expect([charged(), told(), mailedAnn()]).to.deep.equal([amounts, 1, [ANN]])
    })
})
