import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { type ApiClient, apiClient } from '../../support/client.ts'
import { millrace, type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from '../form.ts'

const DAY = 24 * 60 * 60 * 1000
const DAYS = byForm(120, 1500)
const KILLS = byForm(2, 20)

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('a test clock whose service is killed while it is being advanced', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let api: ApiClient
  let token: string
  let clock: string

  const start = async () => {
    service = await spawnMillrace(data)
    api = apiClient(service.ready.origin, token)
  }

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-clock-kill-'))
    await start()
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  const asked = async (...args: readonly string[]) => {
    const { code, out, err } = await millrace([...args, '--data', data])
    expect(code, err).to.equal(0)
    return JSON.parse(out)
  }

  it('continues at its former instant, and each timer fires once, at its due time', async () => {
    const { workspace_id: id } = await asked('workspace', 'create', '--name', 'Tested', '--test')
    token = (await asked('keys', 'create', '--workspace', String(id), '--json')).token
    api = apiClient(service.ready.origin, token)
    clock = `/workspaces/${id}/test_clock`
    const contacts = `/workspaces/${id}/contacts`
    const contact = createdBody(await api.post(contacts, { contact: { email_address: 'a@example.com' } }))
    const tag = createdBody(await api.post(`${contacts}/tags`, { contacts_tag: { name: 'Daily' } }))
    const { now } = createdBody(await api.get(clock))
    const onDay = (day: number) => new Date(Date.parse(now) + day * DAY).toISOString()
    const jobs = new Map<string, string>()
    for (let day = 1; day <= DAYS; day++) {
      const action_type = day % 2 === 1 ? 'add' : 'remove'
      const wanted = { tag_ids: [tag.id], target_ids: [contact.id], action_type, scheduled_for: onDay(day) }
      const job = createdBody(await api.post(`${contacts}/tag_actions`, { contacts_tag_action: wanted }))
      jobs.set(`contacts/tag_action-${job.id}`, job.scheduled_for)
    }
    expect((await api.post(clock, { to: onDay(DAYS + 1) })).status).to.equal(202)
    let kills = 0
    for (let next = 1; next <= KILLS; next++) {
      const until = onDay(Math.floor((next * DAYS) / (KILLS + 1)))
      while (createdBody(await api.get(clock)).now < until) await pause(1)
      if (createdBody(await api.get(clock)).state === 'ready') break
      await service.stop('SIGKILL')
      kills++
      await start()
    }
    expect(kills).to.be.greaterThan(0)
    while (createdBody(await api.get(clock)).state === 'advancing') await pause(10)
    const shown = await asked('clock', 'show', '--workspace', String(id), '--json')
    expect(shown).to.deep.include({ workspace_id: id, state: 'ready', to: null })
    expect(shown.now >= onDay(DAYS + 1) && shown.now < onDay(DAYS + 2)).to.equal(true)
    await service.stop()

    const { log } = await openSqliteLog(data)
    const times = { Started: [] as string[], Completed: [] as string[] }
    const changes: string[] = []
    for await (const { type, stream, metadata } of log.readAll()) {
      const [, stage] = /^ContactsTagAction(Started|Completed)$/.exec(type) ?? []
      if (stage) times[stage as keyof typeof times].push(`${stream} ${metadata.at}`)
      if (/^ContactTag(Applied|Removed)$/.test(type)) changes.push(`${type} ${metadata.at}`)
    }
    await log.close()
    const each = [...jobs].map(([stream, at]) => `${stream} ${at}`)
    expect(times.Started).to.deep.equal(each)
    expect(times.Completed).to.deep.equal(each)
    expect(changes).to.deep.equal(
      [...jobs.values()].map((at, index) => `${index % 2 === 0 ? 'ContactTagApplied' : 'ContactTagRemoved'} ${at}`),
    )
    printFigures('clock', `${DAYS} days in one command over ${kills} kills; each of them happened once, in order`)
  })
})
