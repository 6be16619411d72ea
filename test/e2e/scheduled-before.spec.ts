import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openSqliteLog } from '../../infra/log-db/store.ts'
import { type ApiClient, apiClient } from '../support/client.ts'
import { hostMillrace, type Spawned } from '../support/millrace.ts'
import { createdBody } from '../support/traffic/funnels.ts'

const AHEAD_MS = 5000

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('a job that a version without timers has scheduled', function () {
  this.timeout(60_000)
  let data: string
  let service: Spawned
  let api: ApiClient
  let token: string

  const start = async () => {
    service = await hostMillrace(data)
    token ??= service.ready.api_key!
    api = apiClient(service.ready.origin, token)
  }

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-scheduled-'))
    await start()
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  /** Stores a pending job as that version did. */
  const owe = async (stream: string, due: number) => {
    const { log, reactorStore } = await openSqliteLog(data)
    for await (const { position, metadata } of log.readStream(stream, { limit: 1 })) {
      const { workspace_id = 0 } = metadata
      const row = { lane: `jobs:${stream}`, reaction: 'jobs', gate: `jobs:${workspace_id}`, workspace_id, position }
      await reactorStore.write([{ owed: { ...row, attempts: 0, due, error: null } }])
    }
    await log.close()
  }

  it('starts at its time, once', async () => {
    const contacts = `/workspaces/${service.ready.workspace_id}/contacts`
    const contact = createdBody(await api.post(contacts, { contact: { email_address: 'a@example.com' } }))
    const due = Date.now() + AHEAD_MS
    const wanted = { target_ids: [contact.id], scheduled_for: new Date(due).toISOString() }
    const job = createdBody(await api.post(`${contacts}/unsubscribe_actions`, { contacts_unsubscribe_action: wanted }))
    const stream = `contacts/unsubscribe_action-${job.id}`
    await service.stop()
    await owe(stream, due)
    await start()
    let done = job
    while (done.completed_at === null) {
      await pause(20)
      done = createdBody(await api.get(`/contacts/unsubscribe_actions/${job.id}`))
    }
    expect(Date.parse(done.started_at)).to.be.at.least(due)
    await pause(300)
    await service.stop()
    const { log, reactorStore } = await openSqliteLog(data)
    const types: string[] = []
    for await (const { type } of log.readStream(stream)) types.push(type.replace('ContactsUnsubscribeAction', ''))
    expect(types.filter((type) => type !== 'Advanced')).to.deep.equal(['Queued', 'Started', 'Completed'])
    expect(await reactorStore.pendingIn(`jobs:${stream}`, 1)).to.deep.equal([])
    await log.close()
  })
})
