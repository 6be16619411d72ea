import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openReadOnly } from '../../infra/log-db/open-reader.ts'
import { eventsIn } from '../../infra/transfer/event-range.ts'
import { openBackground, writer } from '../support/filled.ts'
import { MILLRACE, millrace, withoutSettings } from '../support/millrace.ts'

const CONTACTS = 300

describe('the command line on a log that nobody else uses', function () {
  this.timeout(60_000)
  let data: string
  let last: number
  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-cli-events-'))
    const background = await openBackground(data)
    const write = await writer(background)
    for (let n = 0; n < CONTACTS; n++) await write.contact(`Contact ${n}`)
    await write.issueKey()
    last = await background.stores.log.lastPosition()
    await background.stop()
  })
  after(() => rm(data, { recursive: true, force: true }))

  it('exports from any position on, and nothing from behind the end', async () => {
    const history = openReadOnly(data)
    const positionsFrom = async (from: number, to?: number) => {
      const positions: number[] = []
      for await (const { position } of eventsIn(history.log, { from, to, stream: undefined, follow: false }))
        positions.push(position)
      return positions
    }
    expect(await positionsFrom(last - 1)).to.deep.equal([last - 1, last])
    expect(await positionsFrom(last)).to.deep.equal([last])
    for (const from of [last + 1, last + 1000]) expect(await positionsFrom(from)).to.deep.equal([])
    expect(await positionsFrom(last + 1, last + 5)).to.deep.equal([])
    await history.close()
    const { code, out, err } = await millrace(['events', 'export', '--data', data, '--from', String(last + 1)])
    expect([code, out, err.trim()]).to.deep.equal([0, '', '0 events'])
  })

  /** Runs a command whose output, or whose errors as well, nobody reads. */
  const unread = async (args: readonly string[], unreadErrors: boolean) => {
    const child = spawn(process.execPath, [MILLRACE, ...args, '--data', data], {
      env: withoutSettings(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let err = ''
    child.stdout.destroy()
    if (unreadErrors) child.stderr.destroy()
    else child.stderr.on('data', (piece) => (err += String(piece)))
    const [code] = (await once(child, 'exit')) as [number]
    return { code, err }
  }

  for (const command of [['events', 'export'], ['keys', 'list'], ['verify'], ['rebuild', '--json'], ['--help']])
    it(`ends quietly when nobody reads on: millrace ${command.join(' ')}`, async () => {
      const { code, err } = await unread(command, false)
      expect([code, err.replaceAll(/\r?.*events?\b.*/g, '').trim()], err).to.deep.equal([0, ''])
    })

  it('carries out what it was asked for, though nobody reads the answer or its errors', async () => {
    expect((await unread(['keys', 'create', '--label', 'Unread'], true)).code).to.equal(0)
    expect((await millrace(['keys', 'list', '--data', data])).out).to.include('Unread')
  })
})
