import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { type ApiClient, apiClient, ok } from '../../support/client.ts'
import { millrace, type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { BUSINESS } from '../../support/records/emails.ts'
import { byForm, patience, printFigures } from '../form.ts'

const CONTACTS = byForm(60, 5000)
const KILLS = byForm(2, 5)
const AT_ONCE = 50
const MAIL = { send_email_step: { subject: 'News', html_body: '<p>Hello {{ contact.first_name }}</p>' } }
const DAY_MS = 24 * 60 * 60 * 1000

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('runs of workflows whose service is killed', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let api: ApiClient
  let token: string
  let workspace: string

  const start = async () => {
    service = await spawnMillrace(data)
    api = apiClient(service.ready.origin, token)
  }
  const killed = async () => {
    await service.stop('SIGKILL')
    await start()
  }

  beforeEach(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-runs-kill-'))
    await start()
    const asked = async (...args: readonly string[]) => {
      const { code, out, err } = await millrace([...args, '--data', data])
      expect(code, err).to.equal(0)
      return JSON.parse(out)
    }
    const { workspace_id: id } = await asked('workspace', 'create', '--name', 'Tested', '--test')
    token = (await asked('keys', 'create', '--workspace', String(id), '--json')).token
    api = apiClient(service.ready.origin, token)
    workspace = `/workspaces/${id}`
  })
  afterEach(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  const tag = async (name: string): Promise<number> =>
    ok(await api.post(`${workspace}/contacts/tags`, { contacts_tag: { name } })).id
  const addTag = (one: number) => ({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [one] } })
  const workflowBy = async (by: number, ...steps: readonly object[]): Promise<number> => {
    const { id } = ok(await api.post(`${workspace}/workflows`, { workflow: { name: 'W' } }))
    const trigger = { event_type_key: '$contact.tag_applied', contacts_tag_id: by }
    ok(await api.post(`/workflows/${id}/triggers`, { workflows_trigger: trigger }))
    for (const step_type_settings of steps)
      ok(await api.post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings } }))
    ok(await api.post(`/workflows/${id}/enable`))
    return id
  }
  const counts = async (id: number) => {
    const shown = ok(await api.get(`/workflows/${id}`))
    return { active: Number(shown.active_runs_count), completed: Number(shown.completed_runs_count) }
  }
  const createContacts = async () => {
    for (let made = 0; made < CONTACTS; made += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, CONTACTS - made) }, (_, index) =>
          api.post(`${workspace}/contacts`, { contact: { email_address: `c${made + index}@example.com` } }),
        ),
      )
  }
  /** Kills the service whenever so much more has been done. */
  const killedOnTheWay = async (done: () => Promise<number>, all: number) => {
    for (let kill = 1; kill <= KILLS; kill++) {
      while ((await done()) < Math.floor((kill * all) / (KILLS + 1))) await pause(1)
      await killed()
    }
    while ((await done()) < all) await pause(10)
  }

  /** Numbers of events, by what must happen once. */
  const happened = async (): Promise<ReadonlyMap<string, number>> => {
    const { log } = await openSqliteLog(data)
    const found = new Map<string, number>()
    const note = (key: string) => found.set(key, (found.get(key) ?? 0) + 1)
    for await (const { type, stream, data: what } of log.readAll()) {
      if (type === 'RunStarted') note(`started ${what.workflow_id} ${what.contact_id}`)
      if (type === 'RunStepPassed') note(`passed ${stream} ${what.step_id} ${what.outcome}`)
      if (type === 'ContactTagApplied') note(`tagged ${stream} ${what.tag_id}`)
      if (type === 'RunPaused') note(`paused ${stream}`)
      if (type === 'MailingBegun') note(`mailed ${what.cause}`)
    }
    await log.close()
    return found
  }

  it('14 81, 87, 91, 98, 100: enter, wait, step, mail and move exactly once', async () => {
    ok(await api.put(`${workspace}/emails/settings`, { marketing_setting: BUSINESS }))
    ok(await api.post(`${workspace}/emails/addresses`, { emails_address: { username: 'news', name: 'News' } }))
    const [by, entered, resumed, moved] = [
      await tag('by'),
      await tag('entered'),
      await tag('resumed'),
      await tag('moved'),
    ]
    const target = await workflowBy(await tag('never'), addTag(moved))
    const source = await workflowBy(
      by,
      ...[addTag(entered), { delay_step: { duration: 1, interval: 'days' } }, addTag(resumed), MAIL],
      ...[{ split_test_step: {} }, { move_step: { workflow_id: target } }],
    )
    await createContacts()
    ok(
      await api.post(`${workspace}/contacts/tag_actions`, {
        contacts_tag_action: { tag_ids: [by], action_type: 'add', target_all: true },
      }),
    )
    await killedOnTheWay(async () => (await counts(source)).active, CONTACTS)
    const clock = `${workspace}/test_clock`
    const { now } = ok(await api.get(clock))
    ok(await api.post(clock, { to: new Date(Date.parse(now) + 2 * DAY_MS).toISOString() }))
    const begun = Date.now()
    await killedOnTheWay(async () => (await counts(target)).completed, CONTACTS)
    const lasted = Date.now() - begun
    await service.stop()
    const found = await happened()
    const more = [...found].filter(([, times]) => times !== 1)
    expect(more, 'nothing happens twice').to.deep.equal([])
    const kinds = new Map<string, number>()
    for (const key of found.keys()) {
      const [kind = ''] = key.split(' ')
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    expect(Object.fromEntries(kinds), 'nothing is missing').to.deep.equal({
      ...{ started: 2 * CONTACTS, paused: CONTACTS, passed: 7 * CONTACTS, tagged: 4 * CONTACTS, mailed: CONTACTS },
    })
    expect([...found.keys()].filter((key) => key.startsWith('passed') && !key.endsWith(' done'))).to.deep.equal([])
    printFigures('runs', `${CONTACTS} runs due at once went on over ${KILLS} kills within ${lasted} ms, each step once`)
  })
})
