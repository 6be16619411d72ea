import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { LogAnswer, LogQuestion } from '../../../infra/log-db/commit-thread.ts'
import { openReadOnly } from '../../../infra/log-db/open-reader.ts'
import { type LogOptions, logFile, openSqliteLog, type SqliteStore } from '../../../infra/log-db/store.ts'
import { Thread } from '../../../infra/sqlite/thread.ts'
import { backUp } from '../../../infra/upkeep/backup.ts'
import { NO_COPY, storedCopy } from '../../../workers/older-copy.ts'
import { collect, event } from '../event-log/setting.ts'
import { dead, type OpenReactorStore, owed, reactorStoreContract, refused } from '../reactor-store.contract.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

async function openBooks(options?: LogOptions): Promise<OpenReactorStore & { path: string; store: () => SqliteStore }> {
  const { path, remove } = temporaryDirectory()
  let store = await openSqliteLog(path, options)
  return {
    path,
    store: () => store,
    reactorStore: store.reactorStore,
    async reopen() {
      await store.log.close()
      store = await openSqliteLog(path, options)
      return store.reactorStore
    },
    async cleanup() {
      await store.log.close()
      remove()
    },
  }
}

reactorStoreContract('The SQLite log', () => openBooks())
reactorStoreContract('The SQLite file beside another log', () => openBooks({ apart: true }))

describe('The reactor store in the SQLite log', () => {
  let current: Awaited<ReturnType<typeof openBooks>>
  beforeEach(async () => {
    current = await openBooks()
  })
  afterEach(() => current.cleanup())

  /** Reads the data on disk as another process would. */
  const onDisk = async (path = current.path) => {
    const store = openReadOnly(path)
    const [checkpoint, rows] = [
      (await store.checkpoints.all()).get('reactor'),
      await collect(store.reactorStore.pending()),
    ]
    await store.close()
    return { checkpoint, owed: rows.map(({ position }) => position) }
  }

  it('is on disk with its checkpoint when it is written', async () => {
    await current.reactorStore.write([{ owed: owed('mails/1', 4) }], 5)
    expect(await onDisk()).to.deep.equal({ checkpoint: 5, owed: [4] })
  })

  it('is written whole or not at all, without harm to other writes of the batch', async () => {
    await current.reactorStore.write([{ owed: owed('mails/1', 1) }], 1)
    const impossible = owed('mails/1', 3, { attempts: 1.5 })
    const { log } = current.store()
    const [bad, good, append] = await Promise.allSettled([
      current.reactorStore.write(
        [{ owed: owed('mails/1', 2) }, { settled: owed('mails/1', 1) }, { owed: impossible }],
        3,
      ),
      current.reactorStore.write([{ owed: owed('mails/2', 4) }]),
      log.append({ stream: 's', expected: -1, events: [event()] }),
    ])
    expect([bad.status, good.status, append.status]).to.deep.equal(['rejected', 'fulfilled', 'fulfilled'])
    expect(await current.reactorStore.checkpoint()).to.equal(1)
    const reactorStore = await current.reopen()
    expect(await reactorStore.checkpoint()).to.equal(1)
    expect((await collect(reactorStore.pending())).map(({ position }) => position)).to.deep.equal([1, 4])
  })

  it('lets a lone checkpoint wait for the next commit, unless the log is elsewhere', async () => {
    await current.reactorStore.write([], 5)
    expect((await onDisk()).checkpoint).to.equal(undefined)
    await current.store().log.append({ stream: 's', expected: -1, events: [event()] })
    expect((await onDisk()).checkpoint).to.equal(5)
    const apart = await openBooks({ apart: true })
    for (const position of [1, 2, 3]) {
      await apart.reactorStore.write([], position)
      expect((await onDisk(apart.path)).checkpoint).to.equal(position)
    }
    await apart.cleanup()
  })

  it('never goes back to an earlier checkpoint that waited', async () => {
    await current.reactorStore.write([], 1)
    await current.reactorStore.write([], 2)
    await current.reactorStore.write([{ owed: owed('mails/1', 3) }], 3)
    expect((await onDisk()).checkpoint).to.equal(3)
    await current.store().log.append({ stream: 's', expected: -1, events: [event()] })
    expect((await onDisk()).checkpoint).to.equal(3)
    expect(await (await current.reopen()).checkpoint()).to.equal(3)
  })

  it('is also written on the thread of the log', async () => {
    const module = new URL('../../../infra/log-db/commit-thread.js', import.meta.url)
    const thread = new Thread<LogQuestion, LogAnswer>(module, { path: logFile(current.path) })
    const entries = [{ owed: owed('mails/1', 4) }, { refused: refused(4, null) }, { cursor: 'job', value: { a: [1] } }]
    const checkpoint = { kind: 'checkpoint', reactor: 'reactor', position: 9 } as const
    await thread.ask({ batch: { writes: [{ kind: 'books', entries, checkpoint }], now: 0 } })
    await thread.close()
    expect(await onDisk()).to.deep.equal({ checkpoint: 9, owed: [4] })
    expect(await current.reactorStore.cursor('job')).to.deep.equal({ a: [1] })
    expect(await current.reactorStore.refusals(null, 5)).to.deep.equal([refused(4, null)])
  })

  it('is part of a backup, which says that it is a copy', async () => {
    await current.store().log.append({ stream: 'test-1', expected: -1, events: [event()] })
    await current.reactorStore.write([{ owed: owed('mails/1', 4) }, { dead: dead('mails/1', 2) }], 5)
    writeFileSync(join(current.path, 'millrace.json'), '{}')
    const { log } = await backUp({ data: current.path }, join(current.path, 'backup'))
    const copy = await openSqliteLog(log)
    expect(await collect(copy.reactorStore.pending())).to.deep.equal([owed('mails/1', 4)])
    expect(await copy.reactorStore.deadLetters({ limit: 5 })).to.deep.equal([dead('mails/1', 2)])
    expect(await copy.reactorStore.checkpoint()).to.equal(5)
    expect(await storedCopy(copy.reactorStore)).to.deep.equal({ upTo: 0, startedAt: '', waits: true })
    expect(await storedCopy(current.reactorStore)).to.deep.equal(NO_COPY)
    await copy.log.close()
  })

  it('is not backed up without its log, which is on a server', async () => {
    await current.reactorStore.write([{ owed: owed('mails/1', 4) }], 5)
    writeFileSync(join(current.path, 'millrace.json'), '{}')
    const target = join(current.path, 'backup')
    for (const places of [{ data: current.path }, { data: current.path, eventStoreUrl: 'esdb://log.example' }]) {
      const said = await backUp(places, target).then(
        () => 'a backup',
        (error: Error) => error.message,
      )
      expect(said).to.contain('on EventStoreDB')
      expect(existsSync(target)).to.equal(false)
    }
  })
})
