import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { machineClock } from '../reliability/kills/machine-clock.ts'
import { eventually } from '../support/eventually.ts'
import { filling, writerInto } from '../support/filled.ts'
import { fillMailings } from '../support/mailings.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { startSink } from '../support/servers/smtp-sink.ts'

const HOUR = 60 * 60 * 1000
const PEOPLE = ['a@copied.example', 'b@copied.example', 'c@copied.example']

describe('a copy of the data', function () {
  this.timeout(180_000)
  let place: string
  let data: string
  let backup: string
  let receiver: Receiver
  let sink: Awaited<ReturnType<typeof startSink>>
  let service: Spawned | undefined

  before(async () => {
    place = mkdtempSync(path.join(tmpdir(), 'millrace-copies-'))
    data = path.join(place, 'data')
    backup = path.join(place, 'backup')
    receiver = await startReceiver()
    sink = await startSink()
    await filling(data, async (background) => {
      const { workspaceId } = await fillMailings(background, [PEOPLE])
      const into = writerInto(background, { teamId: 1, workspaceId })
      await into.endpoint(receiver.url, ['$contact.created'])
      await into.contact('Ann')
    })
    expect((await millrace(['backup', backup, '--data', data])).out).to.contain('millrace copy release')
  })
  afterEach(async () => {
    await service?.stop()
    service = undefined
    sink.arrived.length = 0
    receiver.received.length = 0
  })
  after(async () => {
    await sink.stop()
    await receiver.close()
    rmSync(place, { recursive: true, force: true })
  })

  const start = async (at: string, settings: Readonly<Record<string, string>> = {}) => {
    service = await hostMillrace(at, {
      MILLRACE_LOG_LEVEL: 'fatal',
      MILLRACE_DEMO: '0',
      MILLRACE_ALLOW_PRIVATE_TARGETS: '1',
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=no`,
      ...settings,
    })
  }
  const asked = async (at: string, ...args: readonly string[]) => {
    const { code, out, err } = await millrace([...args, '--data', at])
    expect(code, err).to.equal(0)
    return out
  }
  /** How many events workers have caused. */
  const causedIn = async (at: string) => (await asked(at, 'events', 'export')).split('"actor":"worker:').length - 1
  const mailed = () => sink.arrived.flatMap(({ to }) => to).sort()

  /** Expects that nothing happens before the word, and everything once after it. */
  const expectToWait = async (at: string, settings: Readonly<Record<string, string>> = {}): Promise<void> => {
    const before = await causedIn(at)
    await start(at, settings)
    expect(JSON.parse(await asked(at, 'copy', 'show', '--json'))).to.include({ data: 'waiting' })
    // What no worker has begun can neither be mailed nor charged: each of their acts is an event.
    expect(await causedIn(at)).to.equal(before)
    await service?.stop()
    await start(at, settings)
    expect(await causedIn(at), 'a second start').to.equal(before)
    expect([mailed(), receiver.received.length]).to.deep.equal([[], 0])
    await asked(at, 'copy', 'release')
    await eventually(async () => expect(receiver.received).to.have.length(1))
    await eventually(async () => expect(await asked(at, 'mails', 'list', '--held')).to.contain('older_copy'))
    expect(mailed()).to.deep.equal([])
    await asked(at, 'mails', 'release', '--all')
    await eventually(async () => expect(mailed()).to.deep.equal(PEOPLE))
    expect(receiver.received).to.have.length(1)
  }

  const restored = (name: string): string => {
    const at = path.join(place, name)
    for (const folder of ['log', 'keys']) cpSync(path.join(backup, folder), at, { recursive: true })
    if (existsSync(path.join(data, 'secret'))) copyFileSync(path.join(data, 'secret'), path.join(at, 'secret'))
    return at
  }

  for (const [name, ageMs] of [
    ['now', 0],
    ['an-hour-old', HOUR],
    ['two-days-old', 48 * HOUR],
  ] as const)
    it(`that \`backup\` has made waits for the operator's word: ${name}`, async () => {
      const at = restored(name)
      const clocks = path.join(place, `clock-${name}`)
      mkdirSync(clocks)
      const clock = machineClock(clocks)
      clock.forward(ageMs)
      await expectToWait(at, clock.settings)
    })

  it('that was made by hand of a stopped service waits while the original is where it was', async () => {
    const original = path.join(place, 'original')
    cpSync(restored('to-be-original'), original, { recursive: true })
    await asked(original, 'copy', 'release')
    // A worker must have run there, which notes how far it has come.
    await start(original, { SMTP_URL: 'smtp://127.0.0.1:1?tls=no' })
    await eventually(async () => expect(existsSync(path.join(original, 'left-off.json'))).to.equal(true))
    await service?.stop()
    const copy = path.join(place, 'by-hand')
    cpSync(original, copy, { recursive: true, filter: (file) => !file.includes('.sock') })
    await start(copy)
    expect(JSON.parse(await asked(copy, 'copy', 'show', '--json'))).to.include({ data: 'waiting' })
    await service?.stop()
    await start(original)
    expect(JSON.parse(await asked(original, 'copy', 'show', '--json'))).to.include({ data: 'copy' })
  })

  it('may be called one before it is started', async () => {
    const at = path.join(place, 'called')
    cpSync(data, at, { recursive: true, filter: (file) => !file.includes('.sock') })
    await asked(at, 'copy', 'hold')
    await expectToWait(at)
    expect((await millrace(['copy', 'hold', '--data', at])).err).to.contain('stop it first')
  })
})
