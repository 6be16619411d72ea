import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { resources, tallies } from '../../domain/index.ts'
import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { readConfig } from '../../infra/config.ts'
import { logFile } from '../../infra/log-db/store.ts'
import { type Core, createCore, type RebuildOptions } from '../../infra/runtime/core.ts'
import { connect } from '../../infra/sqlite/binding.ts'
import { openStores } from '../../infra/stores/open.ts'
import { collectionsOf } from '../../projections/collections.ts'
import { byForm } from '../reliability/form.ts'
import { allDocuments, countOf, type Documents, expectSameDocuments } from '../support/documents.ts'
import { millrace } from '../support/millrace.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { contactTraffic, salesTraffic, variedTraffic } from '../support/traffic/traffic.ts'

const ARCHIVE = path.join(import.meta.dirname, '../../../test/fixtures/archives/0.1.0.ndjson')
const ARCHIVE_SECRET = 'the secret of the archive fixture, long enough'

type Rows = ReadonlyMap<string, readonly unknown[]>

/** All rows of all tables in a read model file, with the entries of arrays. */
const rowsOf = (data: string): Rows => {
  const db = connect(path.join(data, 'views.db'), true)
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%#%'").all()
  const rows = (tables as { name: string }[]).map(({ name }): [string, unknown[]] => {
    const all = db.prepare(`SELECT * FROM "${name}" ORDER BY id`).all()
    return [name.replace(/#\d+/, ''), all.map((row) => JSON.stringify(row)).sort()]
  })
  const catalog = db.prepare('SELECT name, ids, indexes FROM collection ORDER BY name').all()
  const indexes = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all()
  const plain = (indexes as { sql: string }[]).map(({ sql }) => sql.replaceAll(/#\d+/g, '')).sort()
  db.close()
  return new Map<string, readonly unknown[]>([...rows, ['catalog', catalog], ['indexes', plain]])
}

const expectSame = (actual: Rows, expected: Rows): void => {
  expect([...actual.keys()].sort()).to.deep.equal([...expected.keys()].sort())
  for (const [name, rows] of expected) expect(actual.get(name), name).to.deep.equal(rows)
}

describe('read models rebuilt stream by stream', function () {
  this.timeout(180_000)
  let directory: string
  let data: string
  before(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'millrace-streams-'))
    data = path.join(directory, 'data')
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  describe('from every event type', () => {
    let service: TestService
    before(async () => {
      service = await startTestService({ MILLRACE_DATA: data })
      await Promise.all(Array.from({ length: byForm(1, 2) }, () => variedTraffic(service)))
      await waitUntilSettled(service)
    })
    const rebuilt = async (threads: number): Promise<Rows> => {
      const told: number[] = []
      const { events, position, target } = await service.background.rebuild(({ events }) => told.push(events), threads)
      const last = await service.background.stores.log.lastPosition()
      expect([events, position, target]).to.deep.equal([last + 1, last, last])
      expect(told).to.deep.equal([...told].sort((a, b) => a - b))
      return rowsOf(data)
    }

    it('equal those built in the order of the log, to the byte', async () => {
      const inOrder = await rebuilt(0)
      for (const name of ['tombstone', 'former_key', 'page', 'contact']) expect(inOrder.get(name), name).not.to.be.empty
      for (const threads of byForm([2], [1, 3])) expectSame(await rebuilt(threads), inOrder)
    })

    it('contain writes and erasures that happen during the rebuild', async () => {
      const tenants = await Promise.all(Array.from({ length: byForm(1, 2) }, () => service.tenant()))
      let writing = true
      const traffic = Promise.all(tenants.flatMap((tenant) => [contactTraffic(tenant), salesTraffic(tenant)]))
      const done = traffic.finally(() => {
        writing = false
      })
      for (let n = 1; writing; n = 3 - n) await service.background.rebuild(() => {}, n)
      await done
      await waitUntilSettled(service)
      const beside = rowsOf(data)
      expectSame(beside, await rebuilt(0))
    })
  })

  describe('from events of an earlier version', () => {
    let stores: Awaited<ReturnType<typeof openStores>>
    let core: Core
    let archive: string
    before(async () => {
      archive = path.join(directory, 'archive')
      const settings = { MILLRACE_DATA: archive, MILLRACE_SECRET: ARCHIVE_SECRET }
      expect((await millrace(['events', 'import', ARCHIVE], settings)).code).to.equal(0)
      stores = await openStores(readConfig(settings))
      core = await createCore(stores)
    })
    after(() => stores.close())

    /** All documents with their sealed values opened: a value that is sealed again differs each time. */
    const opened = async (): Promise<Documents> => {
      const all = await allDocuments(stores.readModels.live)
      const inClear = new Map<string, ReadonlyMap<number | string, Document>>()
      for (const [name, documents] of all) {
        const entries = [...documents].map(
          async ([id, document]) => [id, await openDocument(stores.vault, document)] as const,
        )
        inClear.set(name, new Map(await Promise.all(entries)))
      }
      return inClear
    }
    const positions = () => {
      const db = connect(path.join(archive, 'views.db'), true)
      const all = collectionsOf(resources, tallies).map(({ name }) => {
        const { generation } = db.prepare('SELECT generation FROM collection WHERE name = ?').get(name) as {
          generation: number
        }
        return db.prepare(`SELECT id, position FROM "${name}#${generation}" ORDER BY id`).all()
      })
      db.close()
      return all
    }

    it('equal those built in the order of the log', async () => {
      await core.rebuild({ threads: 0 })
      const [documents, at] = [await opened(), positions()]
      expect(countOf(documents)).to.be.greaterThan(100)
      await core.rebuild({ threads: 2 })
      expectSameDocuments(await opened(), documents)
      expect(positions()).to.deep.equal(at)
    })

    const failing = async (options: RebuildOptions): Promise<Error> => {
      const before = rowsOf(archive)
      const error = await core.rebuild({ threads: 2, ...options }).then(
        () => expect.fail('it was built'),
        (reason: Error) => reason,
      )
      expectSame(rowsOf(archive), before)
      expect(existsSync(path.join(archive, 'views.db.building'))).to.equal(false)
      return error
    }

    it('do not change the live documents when they are abandoned', async () => {
      const reason = new Error('enough')
      expect(await failing({ signal: AbortSignal.abort(reason) })).to.equal(reason)
      const aborting = new AbortController()
      const onProgress = () => aborting.abort(reason)
      expect(await failing({ signal: aborting.signal, onProgress })).to.equal(reason)
      expect((await core.rebuild({ threads: 1 })).events).to.be.greaterThan(100)
    })

    /** Changes a column of an event, as only damage can, during an action. */
    const altered = async (column: 'data' | 'stream', position: number, value: string, act: () => Promise<unknown>) => {
      const db = connect(logFile(archive))
      const row = db.prepare(`SELECT ${column} AS value FROM event WHERE position = ?`).get(position)
      const trigger = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'event_never_updated'").get()
      const write = (text: string) => {
        db.exec('DROP TRIGGER event_never_updated')
        db.prepare(`UPDATE event SET ${column} = ? WHERE position = ?`).run(text, position)
        db.exec((trigger as { sql: string }).sql)
      }
      write(value)
      try {
        await act()
      } finally {
        write((row as { value: string }).value)
        db.close()
      }
      expect((await core.rebuild({ threads: 1 })).events).to.be.greaterThan(100)
    }

    it('name the damaged event, and do not change the live documents', () =>
      altered('data', 77, '{}', async () =>
        expect((await failing({})).message).to.match(/\bevent 77\b.*Restore it from a backup/),
      ))

    it('report an event that is missing from every stream', async () => {
      const db = connect(logFile(archive), true)
      const last = db.prepare('SELECT position FROM event WHERE revision > 0 ORDER BY position DESC LIMIT 1').get()
      db.close()
      await altered('stream', (last as { position: number }).position, 'nowhere-1', async () =>
        expect((await failing({})).message).to.match(/is damaged: its streams have \d+ events.*millrace verify/),
      )
    })
  })
})
