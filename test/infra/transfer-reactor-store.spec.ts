import { expect } from 'chai'
import type { StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { openSqliteStore } from '../../infra/log-db/store.ts'
import { exportArchive } from '../../infra/transfer/export.ts'
import type { ArchiveLine } from '../../infra/transfer/format.ts'
import { importArchive } from '../../infra/transfer/import.ts'
import { collect, event } from './event-log/setting.ts'
import { dead, owed } from './reactor-store.contract.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const secret = Buffer.alloc(32, 1)
const EVENTS = 40
const entries: readonly StoreChange[] = [
  { owed: owed('mails/1', 3) },
  { owed: owed('mails/1', 39, { due: null, error: null, workspace_id: null }) },
  { dead: dead('calls/2', 0) },
  { cursor: 'job 5', value: { after: 17 } },
  { behind: 'mails:1', reaction: 'mails', after: 20 },
  { reaction: 'mails', since: -1 },
  { reaction: 'calls', since: 12 },
]

/** The same archive line from a log whose positions have gaps. */
const spread = (line: ArchiveLine): ArchiveLine => {
  const at = (position: number) => (position < 0 ? position : position * 100 + 7)
  if ('event' in line) return { event: { ...line.event, position: at(line.event.position) } }
  if ('owed' in line) return { owed: { ...line.owed, position: at(line.owed.position) } }
  if ('dead' in line) return { dead: { ...line.dead, position: at(line.dead.position) } }
  if ('behind' in line) return { ...line, after: at(line.after ?? -1) }
  if ('reaction' in line) return { ...line, since: at(line.since) }
  if ('checkpoint' in line) {
    const { reactor, position } = line.checkpoint
    // A position between two events.
    return { checkpoint: { reactor, position: at(position) + 40 } }
  }
  return line
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

describe('An archive', () => {
  const directories: ReturnType<typeof temporaryDirectory>[] = []
  let archive: readonly ArchiveLine[]

  const opened = () => {
    const directory = temporaryDirectory()
    directories.push(directory)
    return openSqliteStore(directory.path, secret)
  }

  before(async () => {
    const { log, keys, checkpoints, reactorStore } = await opened()
    for (let number = 0; number < EVENTS; number++)
      await log.append({ stream: `contact-${number % 3}`, expected: 'any', events: [event({ number })] })
    await checkpoints.set('projection', 20)
    await reactorStore.write(entries, 38)
    archive = JSON.parse(JSON.stringify(await collect(exportArchive({ log, keys, checkpoints, reactorStore }))))
    await log.close()
  })
  after(() => {
    for (const { remove } of directories) remove()
  })

  const moved = async (lines: readonly ArchiveLine[]) => {
    const { log, keys, checkpoints, reactorStore } = await opened()
    await importArchive({ log, keys, checkpoints, reactorStore }, each(lines))
    const held = {
      owed: await collect(reactorStore.pending()),
      dead: await reactorStore.deadLetters({ limit: 10 }),
      cursors: await collect(reactorStore.cursors()),
      reactions: await reactorStore.reactions(),
      checkpoint: await reactorStore.checkpoint(),
      projection: await checkpoints.get('projection'),
    }
    await log.close()
    return held
  }

  const whole = {
    owed: [owed('mails/1', 3), owed('mails/1', 39, { due: null, error: null, workspace_id: null })],
    dead: [dead('calls/2', 0)],
    cursors: [['job 5', { after: 17 }]],
    reactions: new Map([
      ['calls', 12],
      ['mails', -1],
    ]),
    checkpoint: 38,
    projection: 20,
  }

  it('contains the reactor store', async () => {
    expect(await moved(archive)).to.deep.equal(whole)
  })

  it('of a log with other positions maps the reactor store to the same events', async () => {
    expect(await moved(archive.map(spread))).to.deep.equal(whole)
  })

  it('without a reactor store is imported as well', async () => {
    const older = archive.filter((line) => !['owed', 'dead', 'cursor', 'reaction'].some((kind) => kind in line))
    const nothing = { owed: [], dead: [], cursors: [], reactions: new Map() }
    expect(await moved(older)).to.deep.equal({ ...whole, ...nothing })
    const without = older.filter((line) => !('checkpoint' in line))
    expect(await moved(without)).to.deep.equal({ ...nothing, checkpoint: undefined, projection: -1 })
  })
})
