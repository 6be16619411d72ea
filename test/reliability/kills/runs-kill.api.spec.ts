import { expect } from 'chai'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { ok } from '../../support/client.ts'
import { BUSINESS } from '../../support/records/emails.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { KilledService } from './killed-service.ts'

const CONTACTS = byForm(60, 5000)
const KILLS = byForm(2, 5)
const MAIL = { send_email_step: { subject: 'News', html_body: '<p>Hello {{ contact.first_name }}</p>' } }
const DAY_MS = 24 * 60 * 60 * 1000

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('runs of workflows whose service is killed', function () {
  this.timeout(patience)
  let killed: KilledService
  let workspace: string

  beforeEach(async () => {
    killed = await KilledService.begin('runs-kill')
    workspace = killed.workspace
  })
  afterEach(() => killed.remove())

  const addTag = (one: number) => ({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [one] } })
  const workflowBy = async (by: number, ...steps: readonly object[]): Promise<number> => {
    const { id } = ok(await killed.api.post(`${workspace}/workflows`, { workflow: { name: 'W' } }))
    const trigger = { event_type_key: '$contact.tag_applied', contacts_tag_id: by }
    ok(await killed.api.post(`/workflows/${id}/triggers`, { workflows_trigger: trigger }))
    for (const step_type_settings of steps)
      ok(await killed.api.post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings } }))
    ok(await killed.api.post(`/workflows/${id}/enable`))
    return id
  }
  const counts = async (id: number) => {
    const shown = ok(await killed.api.get(`/workflows/${id}`))
    return { active: Number(shown.active_runs_count), completed: Number(shown.completed_runs_count) }
  }
  /** Kills the service whenever so much more has been done. */
  const killedOnTheWay = async (done: () => Promise<number>, all: number) => {
    for (let kill = 1; kill <= KILLS; kill++) {
      while ((await done()) < Math.floor((kill * all) / (KILLS + 1))) await pause(1)
      await killed.again('SIGKILL')
    }
    while ((await done()) < all) await pause(10)
  }

  /** Numbers of events, by what must happen once. */
  const happened = async (): Promise<ReadonlyMap<string, number>> => {
    const { log } = await openSqliteLog(killed.data)
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
    ok(await killed.api.put(`${workspace}/emails/settings`, { marketing_setting: BUSINESS }))
    ok(await killed.api.post(`${workspace}/emails/addresses`, { emails_address: { username: 'news', name: 'News' } }))
    const [by, entered, resumed, moved] = [
      await killed.tag('by'),
      await killed.tag('entered'),
      await killed.tag('resumed'),
      await killed.tag('moved'),
    ]
    const target = await workflowBy(await killed.tag('never'), addTag(moved))
    const source = await workflowBy(
      by,
      ...[addTag(entered), { delay_step: { duration: 1, interval: 'days' } }, addTag(resumed), MAIL],
      ...[{ split_test_step: {} }, { move_step: { workflow_id: target } }],
    )
    await killed.createContacts(CONTACTS)
    ok(
      await killed.api.post(`${workspace}/contacts/tag_actions`, {
        contacts_tag_action: { tag_ids: [by], action_type: 'add', target_all: true },
      }),
    )
    await killedOnTheWay(async () => (await counts(source)).active, CONTACTS)
    const clock = `${workspace}/test_clock`
    const { now } = ok(await killed.api.get(clock))
    ok(await killed.api.post(clock, { to: new Date(Date.parse(now) + 2 * DAY_MS).toISOString() }))
    const begun = Date.now()
    await killedOnTheWay(async () => (await counts(target)).completed, CONTACTS)
    const lasted = Date.now() - begun
    await killed.stop()
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
