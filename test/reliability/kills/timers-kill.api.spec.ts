import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { type ApiClient, apiClient } from '../../support/client.ts'
import { type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from '../form.ts'

const TIMERS = byForm(100, 10_000)
const AT_ONCE = 50
/** Longer than it takes to create the timers. */
const AHEAD_MS = byForm(4000, 60_000)
/** Time within which the timers due in one second fire when the service is not killed. */
const WITHIN_MS = 5000

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('timers that are due in the same second', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let token: string
  let api: ApiClient
  let contacts: string

  const start = async () => {
    service = await spawnMillrace(data)
    const { origin, workspace_id, api_key } = service.ready
    token ??= api_key!
    api = apiClient(origin, token)
    contacts = `/workspaces/${workspace_id}/contacts`
  }

  beforeEach(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-timers-kill-'))
    token = undefined as never
    await start()
  })
  afterEach(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  const schedule = async () => {
    const contact = createdBody(await api.post(contacts, { contact: { email_address: 'a@example.com' } }))
    const tag = createdBody(await api.post(`${contacts}/tags`, { contacts_tag: { name: 'Due' } }))
    const due = new Date(Date.now() + AHEAD_MS)
    const wanted = { tag_ids: [tag.id], target_ids: [contact.id], scheduled_for: due.toISOString() }
    const ids: number[] = []
    while (ids.length < TIMERS) {
      const some = Array.from({ length: AT_ONCE }, () =>
        api.post(`${contacts}/tag_actions`, { contacts_tag_action: wanted }),
      )
      ids.push(...(await Promise.all(some)).map((answer) => createdBody(answer).id))
    }
    expect(Date.now(), 'they are made before they are due').to.be.lessThan(due.getTime())
    return { ids, due: due.getTime() }
  }

  const hasStarted = async (id: number) => createdBody(await api.get(`/contacts/tag_actions/${id}`)).started_at !== null

  /** Start times of each action that was started. */
  const starts = async (): Promise<ReadonlyMap<string, readonly number[]>> => {
    const { log } = await openSqliteLog(data)
    const found = new Map<string, number[]>()
    const note = ({ type, stream, metadata }: RecordedEvent) => {
      if (type === 'ContactsTagActionStarted')
        found.set(stream, [...(found.get(stream) ?? []), Date.parse(metadata.at)])
    }
    for await (const event of log.readAll()) note(event)
    await log.close()
    return found
  }

  const allStarted = async (ids: readonly number[]) => {
    for (const id of ids) while (!(await hasStarted(id))) await pause(20)
  }

  const spread = (found: ReadonlyMap<string, readonly number[]>, due: number) => {
    const times = [...found.values()].flat()
    expect(found.size).to.equal(TIMERS)
    expect(times.length, 'none is started twice').to.equal(TIMERS)
    expect(Math.min(...times), 'none is early').to.be.at.least(due)
    return Math.max(...times) - due
  }

  it('all fire within five seconds', async () => {
    const { ids, due } = await schedule()
    await pause(due - Date.now())
    await allStarted(ids)
    await service.stop()
    const lasted = spread(await starts(), due)
    expect(lasted).to.be.lessThan(WITHIN_MS)
    printFigures('timers', `${TIMERS} of one second fired within ${lasted} ms`)
  })

  it('all fire once over a kill in the middle', async () => {
    const { ids, due } = await schedule()
    await pause(due - Date.now())
    const half = ids[ids.length / 2]!
    while (!(await hasStarted(half))) await pause(1)
    await service.stop('SIGKILL')
    const before = (await starts()).size
    await start()
    await allStarted(ids)
    await service.stop()
    const lasted = spread(await starts(), due)
    printFigures('timers', `${before} of ${TIMERS} fired before a kill, the rest behind it, after ${lasted} ms in all`)
  })
})
