import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { resources } from '../../domain/index.ts'
import type { Fingerprint } from '../../domain/kernel/ports/read-models.ts'
import type { Background } from '../../infra/runtime/background.ts'
import { connect } from '../../infra/sqlite/binding.ts'
import { fingerprintsOf } from '../../projections/fingerprints.ts'
import { allDocuments, type Documents, documentsOnDisk, expectSameDocuments } from '../support/documents.ts'
import { type FilledStores, openBackground, writer, writerInto } from '../support/filled.ts'
import { hostMillrace } from '../support/millrace.ts'

const CONTACTS = 30
/** Number of users: the owner, and the user that keys act as. */
const USERS = 2
const OLD = "json_set(document, '$.marker', 'old')"

describe('a start with changed declarations', function () {
  this.timeout(60_000)
  let directory: string
  let data: string
  let place: FilledStores
  let token: string
  let running: Background | undefined
  beforeEach(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'millrace-changed-'))
    data = path.join(directory, 'data')
    const background = await open()
    const write = await writer(background)
    for (let n = 0; n < CONTACTS; n++) await write.contact(`Contact ${n}`)
    token = (await write.issueKey()).token
    place = write
    await caughtUp(background)
    await stop()
  })
  afterEach(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const open = async (): Promise<Background> => {
    running = await openBackground(data)
    return running
  }
  const stop = async () => {
    await running?.stop()
    running = undefined
  }
  const caughtUp = async ({ reached, stores }: Background) =>
    expect(await reached(await stores.log.lastPosition(), 10_000)).to.equal(true)

  /** Makes an unused directory look as if another version had built a collection in it. */
  const ofBefore = (collection: string, documents: string, change: Partial<Fingerprint> = {}) => {
    const db = connect(path.join(data, 'views.db'))
    const { value } = db.prepare("SELECT value FROM meta WHERE name = 'fingerprints'").get() as { value: string }
    const fingerprints = new Map<string, Fingerprint>(JSON.parse(value))
    fingerprints.set(collection, { ...fingerprints.get(collection)!, ...change })
    db.prepare("UPDATE meta SET value = ? WHERE name = 'fingerprints'").run(JSON.stringify([...fingerprints]))
    const row = db.prepare('SELECT generation FROM collection WHERE name = ?').get(collection)
    const { generation } = row as { generation: number }
    db.exec(`UPDATE "${collection}#${generation}" SET document = ${documents}`)
    db.close()
  }

  const markedIn = (documents: Documents, collection: string): number =>
    [...documents.get(collection)!.values()].filter(({ marker }) => marker === 'old').length
  const marked = async ({ stores }: Background, collection: string): Promise<number> =>
    markedIn(await allDocuments(stores.readModels.live), collection)

  /** Waits for the rebuild that happens while the service is running. */
  const built = async ({ core }: Background): Promise<void> => {
    while ((await core.difference()).changed.length > 0) await new Promise((go) => setTimeout(go, 5))
  }

  it('serves the old documents at once, and rebuilds only that collection', async () => {
    ofBefore('user', OLD)
    ofBefore('contact', OLD, { documents: 'of before' })
    const background = await open()
    const { readModels } = background.stores
    expect((await background.core.difference()).changed).to.deep.equal(['contact'])
    expect(await marked(background, 'contact')).to.equal(CONTACTS)
    const late = await writerInto(background, place).contact('Late')
    await caughtUp(background)
    expect(await readModels.live.get('contact', late)).to.include({ id: late })
    await built(background)
    expect([await marked(background, 'contact'), await marked(background, 'user')]).to.deep.equal([0, USERS])
    const later = await writerInto(background, place).contact('Later')
    await caughtUp(background)
    const beside = await allDocuments(readModels.live)
    expect([...beside.get('contact')!.keys()]).to.include.members([late, later])
    await background.rebuild(() => {})
    const whole = await allDocuments(readModels.live)
    expect(markedIn(whole, 'user')).to.equal(0)
    expectSameDocuments(new Map([...beside, ['user', whole.get('user')!]]), whole)
    await stop()
    expect((await (await open()).core.difference()).changed).to.deep.equal([])
  })

  it('retries at the next start when it was stopped meanwhile', async () => {
    ofBefore('contact', OLD, { documents: 'of before' })
    await open()
    await stop()
    expect(existsSync(path.join(data, 'views.db.building'))).to.equal(false)
    expect(markedIn(await documentsOnDisk(data), 'contact')).to.equal(CONTACTS)
    const background = await open()
    await built(background)
    expect(await marked(background, 'contact')).to.equal(0)
  })

  it('abandons it for a rebuild of everything', async () => {
    ofBefore('user', OLD)
    ofBefore('contact', OLD, { documents: 'of before' })
    const background = await open()
    await background.rebuild(() => {})
    expect([await marked(background, 'contact'), await marked(background, 'user')]).to.deep.equal([0, 0])
    expect((await background.core.difference()).changed).to.deep.equal([])
  })

  it('rebuilds a collection before it is ready when a list would fail, and keeps the others', async () => {
    ofBefore('user', OLD)
    ofBefore('contact', OLD, { indexes: [] })
    const background = await open()
    expect([await marked(background, 'contact'), await marked(background, 'user')]).to.deep.equal([0, USERS])
    const { indexes } = (await background.stores.readModels.fingerprints())!.get('contact')!
    expect(indexes).to.deep.equal(fingerprintsOf(resources).get('contact')!.indexes)
  })

  it('shows the default of an attribute that is newer than the documents, without building any', async () => {
    const tags = `/api/v2/workspaces/${place.workspaceId}/contacts/tags`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const first = await hostMillrace(data)
    const body = JSON.stringify({ contacts_tag: { name: 'VIP' } })
    const made = (await (await fetch(first.ready.origin + tags, { method: 'POST', headers, body })).json()) as {
      id: number
      color: string
    }
    await first.stop()
    expect(made.color).to.match(/^#/)
    ofBefore('contacts/tag', "json_remove(document, '$.color')", { attributes: ['name null'] })
    const service = await hostMillrace(data)
    const get = async (where: string) => (await fetch(service.ready.origin + where, { headers })).json()
    expect(await get(`/api/v2/contacts/tags/${made.id}`)).to.deep.equal(made)
    expect(await get(tags)).to.deep.equal([made])
    await service.stop()
    expect((await documentsOnDisk(data)).get('contacts/tag')!.get(made.id)).not.to.have.property('color')
  })
})
