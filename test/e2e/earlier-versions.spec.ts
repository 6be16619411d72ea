import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { readConfig } from '../../infra/config.ts'
import { type Core, createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { allDocuments, type Documents } from '../support/documents.ts'
import { hostMillrace, millrace } from '../support/millrace.ts'

const FIXTURES = path.join(import.meta.dirname, '../../../test/fixtures')
const ARCHIVE = path.join(FIXTURES, 'archives/0.1.0.ndjson')
const ARCHIVE_SECRET = 'the secret of the archive fixture, long enough'

/** Fields that a later version added or spells differently. */
const LATER = new Set([
  ...['public_id', 'ordered', 'failed_count', 'name_key', 'path_key', 'offer_minutes'],
  ...['mailbox', 'agents_confirmed_in'],
])
/** Collections about the past of others, which have other keys. */
const ABOUT_THE_PAST = new Set(['tombstone', 'past', 'former_key'])
/** Collections that came later, of records that begin with those of others: a site has a blog. */
const CAME_LATER = new Set(['blog'])

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0)

/** A document in a form that does not depend on the version: versions differ in whether an absent value is `null` or left out. */
const said = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(said)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, entry]) => !LATER.has(key) && !isEmpty(entry))
  return Object.fromEntries(entries.map(([key, entry]) => [key, said(entry)]).sort(([a], [b]) => (a! < b! ? -1 : 1)))
}

/** Prefix fields of personal values, which were in the clear in documents of 0.1 and are blind indexes in later ones. */
const BEGINNINGS = { email: 'email_address', first_name: 'first_name', last_name: 'last_name' }

/** Documents of pages with the times of their own events alone: later versions count a change of their place as well, and note the funnels. */
const pagesThen = async (documents: Documents, { history, resources }: Core): Promise<Documents> => {
  const page = resources.get('page')!
  const at = '9999-12-31T00:00:00.000Z'
  const pages = [...(documents.get('page') ?? [])].map(async ([id, document]) => {
    const own = await history.document(page, Number(id), { at })
    const { joined_from: _, ...then } = document
    return [id, { ...then, updated_at: own?.updated_at ?? null }] as const
  })
  return new Map([...documents, ['page', new Map(await Promise.all(pages))]])
}

/** Documents of a later version with their blind indexes as clear texts, as in 0.1, for comparison. */
const asThen = async (documents: Documents, vault: Vault): Promise<Documents> => {
  const contacts = [...(documents.get('contact') ?? [])].map(async ([id, document]) => {
    const { personal } = await openDocument(vault, document)
    const held = (personal ?? {}) as Readonly<Record<string, string | null>>
    const clear = Object.entries(BEGINNINGS).map(([name, attribute]) => {
      const value = held[attribute]?.trim().toLowerCase() ?? ''
      return [`${name}_bucket`, value.length < 2 ? null : value.slice(0, 2)]
    })
    const since = Object.keys(BEGINNINGS).map((name) => [`${name}_beginning`, null])
    // Since when a contact has its address came later.
    return [id, { ...document, ...Object.fromEntries([...clear, ...since]), email_since: null }] as const
  })
  const then = new Map<string, ReadonlyMap<number | string, Document>>(documents)
  return then.set('contact', new Map(await Promise.all(contacts)))
}

/** Number of documents in each collection, and the digest of their contents. */
const summaryOf = (documents: Documents): object =>
  Object.fromEntries(
    [...documents]
      .filter(([name, collection]) => collection.size > 0 && !ABOUT_THE_PAST.has(name) && !CAME_LATER.has(name))
      .map(([name, collection]) => {
        const hash = createHash('sha256')
        for (const id of [...collection.keys()].sort()) hash.update(`${JSON.stringify(said(collection.get(id)))}\n`)
        return [name, { count: collection.size, sha256: hash.digest('hex') }]
      }),
  )

describe('data of earlier versions', function () {
  this.timeout(60_000)
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'millrace-earlier-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('an archive of 0.1 is imported whole, and gives the documents that it gave there', async () => {
    const settings = { MILLRACE_DATA: directory, MILLRACE_SECRET: ARCHIVE_SECRET }
    const imported = await millrace(['events', 'import', ARCHIVE], settings)
    expect(imported.err).to.include('verified')
    expect(imported.code).to.equal(0)
    const stores = await openStores(readConfig(settings))
    try {
      const core = await createCore(stores)
      await core.rebuild()
      const expected = JSON.parse(readFileSync(ARCHIVE.replace('.ndjson', '.documents.json'), 'utf8'))
      const documents = await pagesThen(await allDocuments(stores.readModels.live), core)
      expect(summaryOf(await asThen(documents, stores.vault))).to.deep.equal(expected)
    } finally {
      await stores.close()
    }
  })

  it('a directory of 0.1 is refused with what to do, and left as it is', async () => {
    const marker = path.join(directory, 'millrace.json')
    const content = '{"product":"millrace","format":1,"created":"2026-11-21T00:00:00.000Z"}\n'
    writeFileSync(marker, content)
    mkdirSync(path.join(directory, 'log'))
    const { code, err } = await millrace(['start', '--data', directory])
    expect(code).to.equal(1)
    expect(err).to.include('millrace events export --archive').and.include('millrace events import')
    expect(readFileSync(marker, 'utf8')).to.equal(content)
  })

  for (const version of ['0.2.0', '0.3.0'])
    it(`a directory of ${version} is opened, and everything in it is there`, async () => {
      const data = path.join(directory, 'data')
      cpSync(path.join(FIXTURES, 'data-directories', version), data, { recursive: true })
      const { token, ...expected } = JSON.parse(readFileSync(path.join(data, 'expected.json'), 'utf8'))
      rmSync(path.join(data, 'expected.json'))
      expect((await millrace(['verify', '--data', data])).code).to.equal(0)
      const archive = path.join(directory, 'archive.ndjson')
      expect((await millrace(['events', 'export', '--archive', archive, '--data', data])).code).to.equal(0)
      const service = await hostMillrace(data)
      try {
        const get = async (where: string) => {
          const headers = { authorization: `Bearer ${token}` }
          const answer = await fetch(`${service.ready.origin}/api/v2${where}`, { headers })
          return { status: answer.status, body: await answer.json() }
        }
        for (const [where, body] of Object.entries(expected.answers))
          expect(await get(where), where).to.deep.equal({ status: 200, body })
      } finally {
        await service.stop()
      }
    })
})
