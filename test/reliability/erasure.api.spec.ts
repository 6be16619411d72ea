import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { loadSecret } from '../../infra/data-directory/secret.ts'
import { keyHalvesFile, logFile, openSqliteStore } from '../../infra/log-db/store.ts'
import { connect } from '../../infra/sqlite/binding.ts'
import { millrace, type Spawned, spawnMillrace } from '../support/millrace.ts'
import { send, type Target } from './ledger.ts'
import { filesBelow, tracesOf } from './storage/traces.ts'

/** Values that occur nowhere else. All of them must disappear. */
const PERSON = {
  email_address: 'Zenobia.Quartermaine-77@unmistakable.example',
  first_name: 'Zenobiaxyla',
  last_name: 'Quartermainevski',
  phone_number: '+99 8182 838485',
  fb_url: 'https://fb.example/zenobiaxyla.fb',
  twitter_url: 'https://twitter.example/zenobiaxyla.tw',
  instagram_url: 'https://instagram.example/zenobiaxyla.ig',
  linkedin_url: 'https://linkedin.example/zenobiaxyla.li',
  website_url: 'https://zenobiaxyla.example/home',
}
const TAG = 'Unmistakable tag'
const FORMER = { email_address: 'zq.formerly@unmistakable.example', last_name: 'Formerlyknownas' }

const PERSONAL = [...Object.values(PERSON), ...Object.values(FORMER)]

const HALF_BYTES = 32

/** The half of a person's key that is stored outside the database. Without it the database does not reveal the key. */
const halfOfKey = async (data: string, subject: number): Promise<Buffer> => {
  const db = connect(logFile(data), true)
  const { slot } = db.prepare('SELECT slot FROM key WHERE subject = ?').get(subject) as { slot: number }
  db.close()
  const halves = await readFile(keyHalvesFile(data))
  return halves.subarray(slot * HALF_BYTES, (slot + 1) * HALF_BYTES)
}

describe('a person erased', () => {
  let data: string
  let service: Spawned
  const log: string[] = []
  let target: Target
  let id: number
  let sealed: readonly string[]
  let half: Buffer
  let exportId: number
  let filterId: number
  const earlyFilterIds: number[] = []
  let actionId: number

  const ask = async (method: string, where: string, body?: object, key?: string) => {
    const answer = await send(target, method, where, { ...(body && { body }), key })
    expect(answer!.status, `${method} ${where} ${JSON.stringify(answer!.body)}`).to.be.lessThan(300)
    return answer!.body
  }
  const contacts = () => `/workspaces/${target.workspaceId}/contacts`

  const exported = async (): Promise<readonly RecordedEvent[]> => {
    const { out } = await millrace(['events', 'export', '--data', data])
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RecordedEvent)
  }

  const holdsHalf = async () => {
    const files = await Promise.all((await filesBelow(data)).map((file) => readFile(file)))
    return files.some((content) => content.includes(half))
  }

  const start = async (token?: string) => {
    service = await spawnMillrace(data, { MILLRACE_LOG_LEVEL: 'trace' }, log)
    target = {
      url: service.ready.origin,
      token: token ?? service.ready.api_key!,
      workspaceId: service.ready.workspace_id,
    }
  }

  const exportFile = async () => {
    for (;;) {
      const { file_url } = await ask('GET', `/contacts/export_actions/${exportId}`)
      if (file_url) return (await fetch(file_url)).text()
      await new Promise((go) => setTimeout(go, 10))
    }
  }

  /** Sends requests that touch personal data: writes, repeats, lists, history, and records that embed it. */
  const live = async (): Promise<void> => {
    // Before anybody has the addresses.
    for (const value of [PERSON.email_address, FORMER.email_address]) {
      const criteria = [{ attribute: 'email_address', clause: 'eq', value }]
      const filters = `/workspaces/${target.workspaceId}/refine_filters`
      earlyFilterIds.push((await ask('POST', filters, { refine_filter: { criteria } })).id)
    }
    const tag = await ask('POST', `${contacts()}/tags`, { contacts_tag: { name: TAG } })
    const made = { contact: { ...PERSON, ...FORMER, tag_ids: [tag.id] } }
    const first = await ask('POST', contacts(), made, 'erasure create')
    id = first.id
    await ask('POST', contacts(), made, 'erasure create')
    await ask('PUT', `/contacts/${id}`, { contact: PERSON }, 'erasure change')
    await ask('POST', `${contacts()}/upsert`, {
      contact: { ...PERSON, email_address: PERSON.email_address.toUpperCase() },
    })
    const [pipeline] = await ask('GET', `/workspaces/${target.workspaceId}/sales/pipelines`)
    const opened = { name: 'A sale', pipelines_stage_id: pipeline.stages[0].id, primary_contact_id: id }
    const path = `/workspaces/${target.workspaceId}/sales/opportunities`
    const opportunity = await ask('POST', path, { sales_opportunity: opened }, 'erasure opportunity')
    expect(opportunity.primary_contact.first_name).to.equal(PERSON.first_name)
    expect((await ask('GET', `/contacts/${id}?as_of=${first.created_at}`)).last_name).to.equal(FORMER.last_name)
    const filter = `filter[email_address]=${encodeURIComponent(PERSON.email_address)}`
    expect(await ask('GET', `${contacts()}?${filter}`)).to.have.length(1)
    expect((await ask('GET', `/contacts/${id}/applied_tags`))[0].contact.first_name).to.equal(PERSON.first_name)
    const action = { fields: Object.keys(PERSON), target_all: true }
    await name(tag.id)
    exportId = (await ask('POST', `${contacts()}/export_actions`, { contacts_export_action: action })).id
    expect(await exportFile())
      .to.include(PERSON.first_name)
      .and.include(PERSON.linkedin_url)
  }

  /** Creates filters that contain the person's data: a stored one, one by token, and a job with a copy. */
  const name = async (tagId: number): Promise<void> => {
    const filters = `/workspaces/${target.workspaceId}/refine_filters`
    const by = async (criteria: readonly object[]) => (await ask('POST', filters, { refine_filter: { criteria } })).id
    const address = { attribute: 'email_address', clause: 'eq', value: PERSON.email_address.toUpperCase() }
    filterId = await by([address])
    const others = [
      { attribute: 'first_name', clause: 'sw', value: PERSON.first_name },
      { attribute: 'last_name', clause: 'eq', value: PERSON.last_name },
      { attribute: 'email_address', clause: 'sw', value: FORMER.email_address },
    ]
    await by(others)
    const { stable_id } = await ask('GET', `/contacts/filters/${filterId}`)
    const action = { tag_ids: [tagId], stable_id }
    actionId = (await ask('POST', `${contacts()}/tag_actions`, { contacts_tag_action: action })).id
    const later = { tag_ids: [tagId], stored_filter_id: filterId, scheduled_for: '2199-01-01T00:00:00Z' }
    await ask('POST', `${contacts()}/tag_actions`, { contacts_tag_action: later }, 'erasure filter')
    expect(await ask('GET', `${contacts()}?stored_filter_id=${filterId}`)).to.have.length(1)
    expect((await ask('GET', `/refine_filters/${filterId}`)).criteria).to.deep.equal([address])
    const action_ = () => ask('GET', `/contacts/tag_actions/${actionId}`)
    while ((await action_()).completed_at === null) await new Promise((go) => setTimeout(go, 10))
    expect((await action_()).target_count).to.equal(1)
  }

  /** The stored rows of the person in an export file. */
  const rowsKept = async () => {
    const part = await readFile(path.join(data, 'blobs/contacts', `export_action-${exportId}`, '0'), 'utf8')
    return part.split('\n').flatMap((line) => (line.startsWith(`${id} `) ? [line.slice(`${id} `.length)] : []))
  }

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-erasure-'))
    await start()
    await live()
    await service.stop()
    half = await halfOfKey(data, id)
    expect(half).to.have.length(HALF_BYTES)
    expect(await tracesOf(data, [TAG]), 'what is not personal is found').not.to.deep.equal([])
    expect(await holdsHalf(), 'so is the half of the key').to.equal(true)
    await start(target.token)
    sealed = (await exported())
      .filter(({ stream }) => stream === `contact-${id}`)
      .flatMap(({ data }) => (typeof data.personal === 'string' ? [data.personal] : []))
    expect(sealed.length).to.be.at.least(2)
    const rows = await rowsKept()
    expect(rows).to.have.length(1)
    sealed = [...sealed, ...rows]
    await ask('DELETE', `/contacts/${id}/gdpr_destroy`, undefined, 'erasure itself')
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  it('disappears from the data directory at once', async () => {
    expect(await tracesOf(data, PERSONAL)).to.deep.equal([])
    expect(await holdsHalf(), 'the half of the destroyed key').to.equal(false)
  })

  it('appears in no log line of the process, and in no error answer', async () => {
    const wrong = [
      await send(target, 'POST', contacts(), {
        body: { contact: { ...PERSON, email_address: [PERSON.email_address] } },
      }),
      await send(target, 'GET', `${contacts()}?filter[email]=${encodeURIComponent(PERSON.email_address)}`, {}),
      await send(target, 'GET', `/contacts/${encodeURIComponent(PERSON.email_address)}`, {}),
    ]
    for (const answer of wrong) {
      expect(answer!.status).to.be.within(400, 422)
      for (const value of PERSONAL) expect(JSON.stringify(answer!.body)).not.to.include(value)
    }
    await new Promise((go) => setTimeout(go, 300))
    const lines = log.join('')
    expect(lines).to.include('"operation":"createContacts"')
    for (const value of PERSONAL) expect(lines).not.to.include(value)
  })

  it('is named by no filter any more', async () => {
    expect((await ask('GET', `/refine_filters/${filterId}`)).criteria[0].value).to.equal('')
    for (const early of earlyFilterIds)
      expect((await ask('GET', `/refine_filters/${early}`)).criteria[0].value, 'from before the contact').to.equal('')
    const { filter_id } = await ask('GET', `/contacts/tag_actions/${actionId}`)
    expect((await ask('GET', `/refine_filters/${filter_id}`)).criteria[0].value).to.equal('')
    expect(await ask('GET', `${contacts()}?stored_filter_id=${filterId}`)).to.deep.equal([])
  })

  it('is not shown by any read, nor exported', async () => {
    const shown = [
      await ask('GET', `/contacts/${id}`),
      await ask('GET', `/contacts/filters/${filterId}`),
      await ask('GET', `/contacts/${id}/applied_tags`),
      await ask('GET', `/workspaces/${target.workspaceId}/sales/opportunities`),
      await exported(),
      await exportFile(),
    ].map((body) => JSON.stringify(body))
    for (const value of PERSONAL) expect(shown.join()).not.to.include(value)
  })

  it('is nowhere after a stop, a rebuild and a start', async () => {
    expect(await service.stop()).to.equal(0)
    expect(await tracesOf(data, PERSONAL)).to.deep.equal([])
    expect((await millrace(['rebuild', '--data', data, '--json'])).code).to.equal(0)
    expect(await tracesOf(data, PERSONAL)).to.deep.equal([])
    await start(target.token)
    expect((await ask('GET', `/contacts/${id}`)).first_name).to.equal('REDACTED')
  })

  it('cannot be unsealed any more, and the log still folds', async () => {
    await service.stop()
    const { log, vault } = await openSqliteStore(data, loadSecret(data))
    try {
      for (const text of sealed) expect(await vault.open(id, text)).to.equal(null)
      let events = 0
      for await (const { stream } of log.readAll()) if (stream === `contact-${id}`) events++
      expect(events).to.be.greaterThan(sealed.length)
    } finally {
      await log.close()
    }
    expect(await holdsHalf(), 'the half of the destroyed key is still on the disk').to.equal(false)
  })
})
