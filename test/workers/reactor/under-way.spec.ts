import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { temporaryDirectory } from '../../infra/temporary-directory.ts'
import { soon } from './setting.ts'

const PROGRAM = fileURLToPath(new URL('./ending-program.js', import.meta.url))

describe('a reactor whose process ends out of order', () => {
  const directories: ReturnType<typeof temporaryDirectory>[] = []
  afterEach(() => {
    for (const { remove } of directories.splice(0)) remove()
  })

  /** Writes a log with an event for each of these, in streams of their own. */
  const logOf = async (all: readonly JsonObject[]) => {
    const made = temporaryDirectory()
    directories.push(made)
    const { log } = await openSqliteLog(made.path)
    for (const [n, data] of all.entries()) {
      const id = randomUUID()
      const metadata = {
        ...{ at: '2026-02-03T04:05:06.789Z', actor: 'system', workspace_id: n },
        ...{ $correlationId: id, $causationId: id },
      }
      const event = { id, type: 'Happened', data: { n, ...data }, metadata }
      await log.append({ stream: `a-${n}`, expected: 'any', events: [event] })
    }
    await log.close()
    return { path: made.path, notes: join(made.path, 'notes') }
  }
  type Made = Awaited<ReturnType<typeof logOf>>

  const notesOf = ({ notes }: Made): readonly string[] =>
    existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []

  const start = ({ path, notes }: Made) => spawn(process.execPath, [PROGRAM, path, notes], { stdio: 'inherit' })

  const stored = async ({ path }: Made) => {
    const { log, reactorStore } = await openSqliteLog(path)
    const letters = await reactorStore.deadLetters({ limit: 10 })
    const cursors: string[] = []
    for await (const [name] of reactorStore.cursors()) cursors.push(name)
    await log.close()
    return { letters, cursors }
  }

  it('sets aside the task that ends it again and again, and no other', async () => {
    const made = await logOf([{}, { takes: 200 }, { ends: true }, { takes: 200 }, {}])
    let starts = 0
    for (let code: unknown = null; code === null && starts < 8; starts++) [code] = await once(start(made), 'exit')
    expect(starts, 'one end without a record, two beside others, one alone').to.equal(5)
    const { letters, cursors } = await stored(made)
    expect(letters.map(({ lane, workspace_id, error }) => [lane, workspace_id, error])).to.deep.equal([
      ['tested:a-2', 2, 'the process ended 3 times while this was under way, at last with nothing else'],
    ])
    for (const n of [0, 1, 3, 4]) expect(notesOf(made)).to.include(`done ${n}`)
    expect(notesOf(made)).to.not.include('done 2')
    expect(
      cursors.filter((name) => !name.endsWith('a-2@2')),
      'it ended in order',
    ).to.deep.equal([])
    const [code] = await once(start(made), 'exit')
    expect(code, 'and it is not taken up again').to.equal(0)
  }).timeout(60_000)

  for (const how of ['advances', 'saves'])
    it(`lets work go on that comes further each time, however often the process ends: it ${how}`, async () => {
      const made = await logOf([{ [how]: true, endsTimes: 6 }, {}])
      let starts = 0
      for (let code: unknown = null; code === null && starts < 9; starts++) [code] = await once(start(made), 'exit')
      expect((await stored(made)).letters).to.deep.equal([])
      expect(notesOf(made)).to.include.members(['done 0', 'done 1'])
      expect(starts).to.equal(7)
    }).timeout(60_000)

  it('lets healthy work go on, however often an operator kills it', async () => {
    const made = await logOf([{ takes: 1500 }, { takes: 1500 }])
    for (let kill = 0; kill < 3; kill++) {
      const begun = notesOf(made).filter((one) => one.startsWith('begun')).length
      const running = start(made)
      await soon(() => notesOf(made).filter((one) => one.startsWith('begun')).length >= begun + 2, 30_000)
      running.kill('SIGKILL')
      await once(running, 'exit')
    }
    const [code] = await once(start(made), 'exit')
    expect(code).to.equal(0)
    expect((await stored(made)).letters).to.deep.equal([])
    expect(notesOf(made)).to.include.members(['done 0', 'done 1'])
  }).timeout(60_000)
})
