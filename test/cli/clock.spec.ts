import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'

const DAY = 24 * 60 * 60 * 1000

describe('millrace clock', function () {
  this.timeout(60_000)
  let data: string
  let service: Spawned
  let tested: string

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-cli-clock-'))
    service = await hostMillrace(data)
    const made = await run('workspace', 'create', '--name', 'Tested', '--test')
    tested = String(JSON.parse(made.out).workspace_id)
  })
  after(async () => {
    await service.stop()
    await rm(data, { recursive: true, force: true })
  })

  const run = (...args: readonly string[]) => millrace([...args, '--data', data])
  const shown = async () => JSON.parse((await run('clock', 'show', '--workspace', tested, '--json')).out)
  const inDays = async (days: number) => new Date(Date.parse((await shown()).now) + days * DAY).toISOString()

  it('advances the clock of a test workspace, and waits until it is there', async () => {
    const to = await inDays(40)
    const { code, out } = await run('clock', 'advance', '--workspace', tested, '--to', to)
    expect(code).to.equal(0)
    expect(out).to.match(new RegExp(`^workspace ${tested}: 20\\S+\n$`))
    const clock = await shown()
    expect(clock).to.deep.include({ workspace_id: Number(tested), state: 'ready', to: null })
    expect(clock.now > to).to.equal(true)
  })

  it('advances it by a duration from what it shows', async () => {
    const [before, earliest] = [await shown(), await inDays(2)]
    expect((await run('clock', 'advance', '--workspace', tested, '--by', '2d')).code).to.equal(0)
    const { now } = await shown()
    expect(now > earliest, `${before.now} to ${now}`).to.equal(true)
    expect(now < new Date(Date.parse(earliest) + DAY).toISOString()).to.equal(true)
  })

  it('explains why it does not', async () => {
    const own = String(service.ready.workspace_id)
    const reasons = [
      [tested, await inDays(-1), /must be after what the clock shows/],
      [tested, 'soon', /must be an ISO 8601 date-time/],
      [own, await inDays(1), /Only a workspace that was made as a test workspace has a test clock/],
    ] as const
    for (const [workspace, to, says] of reasons) {
      const { code, err } = await run('clock', 'advance', '--workspace', workspace, '--to', to)
      expect(code).to.equal(1)
      expect(err).to.match(says)
    }
    expect((await run('clock', 'show', '--workspace', own)).err).to.match(/made with --test/)
    const wrong = [
      [[], /say how far to advance it, with --by or --to/],
      [['--by', '2 days'], /such as 90m or 2d/],
      [['--by', '0d'], /such as 90m or 2d/],
      [['--by', '600w'], /at most 10 years/],
      [['--by', '2d', '--to', await inDays(1)], /cannot be used with option/],
    ] as const
    for (const [args, says] of wrong) {
      const { code, err } = await run('clock', 'advance', '--workspace', tested, ...args)
      expect(code, err).to.equal(1)
      expect(err).to.match(says)
    }
  })

  it('needs no service, and keeps its time when one is started again', async () => {
    await service.stop()
    const to = await inDays(10)
    expect((await run('clock', 'advance', '--workspace', tested, '--to', to)).code).to.equal(0)
    service = await hostMillrace(data)
    expect((await shown()).now > to).to.equal(true)
  })
})
