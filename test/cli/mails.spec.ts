import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { filling } from '../support/filled.ts'
import { type Filled, fillMailings } from '../support/mailings.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'
import { startSink } from '../support/servers/smtp-sink.ts'

const HOSTILE =
  '<p>Hello {{ contact.first_name }}</p><script>alert(1)</script><form action="https://evil.example"></form><img src="https://evil.example/x.png">'

describe('millrace mails', function () {
  this.timeout(120_000)
  let data: string
  let filled: Filled
  let sink: Awaited<ReturnType<typeof startSink>>
  let service: Spawned | undefined

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-mails-'))
    sink = await startSink()
    await filling(data, async (background) => {
      filled = await fillMailings(background, [['a@cli.example', 'b@cli.example'], ['c@cli.example']], HOSTILE)
    })
  })
  afterEach(async () => {
    await service?.stop()
    service = undefined
  })
  after(async () => {
    await sink.stop()
    await rm(data, { recursive: true, force: true })
  })

  const run = (...args: readonly string[]) => millrace(['mails', ...args, '--data', data])
  const start = async (settings: Readonly<Record<string, string>>) => {
    service = await hostMillrace(data, { MILLRACE_LOG_LEVEL: 'fatal', MILLRACE_DEMO: '0', ...settings })
  }
  const listed = async (...flags: readonly string[]) => {
    const { out } = await run('list', '--json', ...flags)
    return out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: number; status: string; reason: string })
  }
  const shown = async (mailing: number | undefined) =>
    JSON.parse((await run('show', String(mailing), '--json')).out) as {
      status: string
      deliveries: { id: number; status: string; message_id: string }[]
    }
  const soon = (holds: () => Promise<boolean> | boolean) =>
    eventually(async () => {
      if (!(await holds())) throw new Error(`never: ${holds}`)
    })

  it('14 107: an older copy sends nothing by itself: its mailings are held and listed, and released by word', async () => {
    await start({ SMTP_URL: sink.url, MILLRACE_MAIL_HOLD_HOURS: '0' })
    expect(await listed('--held'), 'no worker begins before the word for the copy as a whole').to.deep.equal([])
    expect(await millrace(['copy', 'release', '--data', data])).to.include({ code: 0 })
    await soon(async () => (await listed('--held')).length === 2)
    expect((await listed()).map(({ status, reason }) => [status, reason])).to.deep.equal([
      ['held', 'older_copy'],
      ['held', 'older_copy'],
    ])
    expect(sink.arrived).to.have.length(0)
    const [first, second] = filled.mailings
    expect(await run('release', String(first))).to.include({ code: 0, out: `${first} is released\n` })
    await soon(() => sink.arrived.length === 2)
    expect((await run('release', String(first))).err).to.contain('not held')
    expect((await listed()).map(({ id }) => id)).to.deep.equal([second])
    expect((await shown(second)).deliveries.map(({ status }) => status)).to.deep.equal(['waiting'])
  })

  it('14 47: what was kept as files is not sent when a server is configured', async () => {
    const [, second] = filled.mailings
    expect((await run('release', '--all')).out).to.equal(`${second} is released\n`)
    expect((await shown(second)).deliveries.map(({ status }) => status)).to.deep.equal(['waiting'])
    await start({})
    await soon(async () => (await shown(second)).status === 'completed')
    expect((await shown(second)).deliveries.map(({ status }) => status)).to.deep.equal(['kept'])
    await service!.stop()
    service = undefined
    expect(await listed(), 'without a service').to.deep.equal([])
    await start({ SMTP_URL: sink.url })
    expect(await listed()).to.deep.equal([])
    expect((await shown(second)).deliveries.map(({ status }) => status)).to.deep.equal(['kept'])
    expect(sink.arrived.filter(({ to }) => to.includes('c@cli.example'))).to.have.length(0)
  })

  it('14 108: shows a mail without scripts, forms and remote content', async () => {
    const [kept] = (await shown(filled.mailings[1])).deliveries
    const text = await run('open', String(kept!.id))
    expect(text.out).to.match(/^From: Shop <news@shop\.example>\nTo: Ann <c@cli\.example>\nSubject: News\n\nHello Ann/)
    const { out: page } = await run('open', String(kept!.id), '--html')
    expect(page).to.contain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'`)
    expect(page).to.match(/<iframe sandbox="" [^<>]*srcdoc="[^"]*"><\/iframe>/)
    expect(page).not.to.match(/<(script|form|img)/)
    expect((await run('open', String(kept!.id), '--source')).out).to.contain(kept!.message_id)
  })

  it('14 45: rates that are ordered count before the settings, with and without a service, and over restarts', async () => {
    expect((await run('rates')).out).to.equal(
      'Sending domains: none\nReceiving domains: none\nWarm-up of new sending domains: no\n\nDOMAIN        TODAY  LIMIT OF MARKETING TODAY\nshop.example  2      200\n',
    )
    const ordered = await run('rates', '--sending', '600/1m', '--receiving', 'Mail.example=60/1m, 1/2m', '--json')
    expect(JSON.parse(ordered.out)).to.deep.include({ sending: '600/1m', receiving: '1/2m, mail.example=60/1m' })
    await start({ SMTP_URL: sink.url, MILLRACE_MAIL_RATE: '5/1h' })
    expect((await run('rates')).out).to.contain('Sending domains: 600/1m\n')
    expect((await run('rates', '--sending', 'default', '--receiving', 'none')).out).to.match(
      /^Sending domains: 5\/1h\nReceiving domains: none\n/,
    )
    expect(await run('rates', '--sending', 'fast')).to.deep.include({
      ...{ code: 1, out: '', err: 'millrace: sending must be such as 600/1m, for a day at most, or default\n' },
    })
  })

  it('14 108: names what is not there', async () => {
    const [sent] = (await shown(filled.mailings[0])).deliveries
    expect((await run('open', String(sent!.id))).err).to.contain(`mail ${sent!.id} was not kept`)
    expect((await run('show', '99')).err).to.contain('there is no mailing 99')
    expect((await run('send-again', String(sent!.id))).err).to.contain('failed or is in doubt')
    expect(await run('release')).to.include({ code: 1, out: '' })
    expect((await run('list', '--doubt')).out).to.equal('There are none.\n')
  })
})
