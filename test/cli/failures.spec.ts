import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { serveControl } from '../../infra/control/serve.ts'
import type { Background } from '../../infra/runtime/background.ts'
import { deadLetter } from '../support/dead-letters.ts'
import { openBackground, writer } from '../support/filled.ts'
import { millrace } from '../support/millrace.ts'

describe('millrace failures', function () {
  this.timeout(60_000)
  let data: string
  let background: Background
  let workspaceId: number
  let events: readonly RecordedEvent[]

  /** Without a reactor, retried tasks stay pending. */
  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-failures-'))
    background = await openBackground(data)
    serveControl(background.stores.control!, background, () => ({}))
    workspaceId = (await writer(background)).workspaceId
    const all: RecordedEvent[] = []
    for await (const event of background.stores.log.readAll({ limit: 2 })) all.push(event)
    events = all
  })
  after(async () => {
    await background.stop()
    await rm(data, { recursive: true, force: true })
  })

  const run = (...args: readonly string[]) => millrace(['failures', ...args, '--data', data])
  const idOf = (event: RecordedEvent): string => `furnish:${event.stream}@${event.position}`
  const giveUp = () =>
    background.stores.reactorStore.write(
      events.map(({ stream, position }, index) => ({
        dead: deadLetter({
          lane: `furnish:${stream}`,
          position,
          reaction: 'furnish',
          workspace_id: index === 0 ? null : workspaceId,
        }),
      })),
    )
  const owedIds = async () => {
    const ids: string[] = []
    for await (const { lane, position, attempts } of background.stores.reactorStore.pending())
      ids.push(`${lane}@${position} ${attempts}`)
    return ids
  }
  const ids = () => events.map(idOf)

  it('reports that there are no dead letters', async () => {
    expect(await run('list')).to.deep.equal({ code: 0, out: 'Nothing was given up.\n', err: '' })
    expect(await run('list', '--json')).to.deep.equal({ code: 0, out: '', err: '' })
    expect(await run('retry', '--all')).to.deep.equal({ code: 0, out: '', err: '' })
  })

  it('lists dead letters, for people and for programs', async () => {
    await giveUp()
    const { code, out } = await run('list')
    const [heading, ...rows] = out.trimEnd().split('\n')
    expect(code).to.equal(0)
    expect(heading).to.match(/^ID +REACTION +WORKSPACE +ATTEMPTS +GIVEN UP +ERROR$/)
    const column = heading!.indexOf('ERROR')
    for (const row of rows) expect(row.slice(column)).to.equal('Error: the disk is on fire')
    expect(rows.map((row) => row.split(' ')[0])).to.have.members(ids())
    const lines = (await run('list', '--json')).out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).to.have.members(ids())
  })

  it('lists the dead letters of one workspace', async () => {
    await giveUp()
    const { out } = await run('list', '--json', '--workspace', String(workspaceId))
    expect(JSON.parse(out)).to.include({ id: ids()[1], workspace_id: workspaceId, attempts: 8 })
    const { code, err } = await run('list', '--workspace', '1234')
    expect(code).to.equal(1)
    expect(err).to.include('--workspace ID').and.to.include('Filled')
  })

  it('shows one with its event', async () => {
    await giveUp()
    const [{ type, stream, position, metadata }] = events as [RecordedEvent]
    const { out } = await run('show', ids()[0]!)
    expect(out)
      .to.include(`event      ${type} at position ${position}\n`)
      .and.to.include(`stream     ${stream}\n`)
      .and.to.include(`happened   ${metadata.at}\n`)
      .and.to.include('workspace  -\n')
    const shown = JSON.parse((await run('show', ids()[0]!, '--json')).out)
    expect(shown.event).to.deep.equal({ type, stream, at: metadata.at })
  })

  it('retries one, or all', async () => {
    await giveUp()
    const [first, second] = ids() as [string, string]
    expect(await run('retry', second)).to.deep.equal({ code: 0, out: `${second} is tried again\n`, err: '' })
    expect(await owedIds()).to.deep.equal([`${second} 0`])
    expect((await run('retry', '--all')).out).to.equal(`${first} is tried again\n`)
    expect(await owedIds()).to.have.members([`${first} 0`, `${second} 0`])
    expect((await run('list')).out).to.equal('Nothing was given up.\n')
    await giveUp()
    expect((await run('retry', '--all', '--workspace', String(workspaceId))).out).to.equal(`${second} is tried again\n`)
  })

  it('drops, and names unknown ids', async () => {
    await giveUp()
    const [first, second] = ids() as [string, string]
    const { code, out, err } = await run('drop', first, 'nothing@7', second)
    expect([code, out]).to.deep.equal([1, `${first} is dropped\n${second} is dropped\n`])
    expect(err).to.include('there is no failure nothing@7').and.to.include('1 of 3 were left as they are')
    expect((await run('list')).out).to.equal('Nothing was given up.\n')
    expect((await run('show', first)).err).to.include(`there is no failure ${first}`)
  })

  it('requires to know which to retry', async () => {
    for (const args of [['retry'], ['retry', 'a@1', '--all']])
      expect((await run(...args)).err).to.equal('millrace: name the failures to retry, or give --all\n')
  })
})
