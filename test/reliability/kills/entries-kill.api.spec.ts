import { expect } from 'chai'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { ok } from '../../support/client.ts'
import { BUSINESS } from '../../support/records/emails.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { KilledService } from './killed-service.ts'

/** In the long form so many that entries wait in the log, and are looked at again from further back. */
const CONTACTS = byForm(200, 2000)
const KILLS = byForm(1, 10)

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('entries into workflows whose service is stopped and killed', function () {
  this.timeout(patience)
  let killed: KilledService
  let workspace: string

  beforeEach(async () => {
    killed = await KilledService.begin('entries-kill')
    workspace = killed.workspace
  })
  afterEach(() => killed.remove())

  /** Makes a workflow without a delay that any of two tags starts. It mails. */
  const mailedBy = async (tags: readonly number[]) => {
    const { id } = ok(await killed.api.post(`${workspace}/workflows`, { workflow: { name: 'W' } }))
    const triggers: number[] = []
    for (const contacts_tag_id of tags) {
      const workflows_trigger = { event_type_key: '$contact.tag_applied', contacts_tag_id }
      triggers.push(ok(await killed.api.post(`/workflows/${id}/triggers`, { workflows_trigger })).id)
    }
    const send_email_step = { subject: 'News', html_body: '<p>Hello</p>' }
    ok(await killed.api.post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings: { send_email_step } } }))
    ok(await killed.api.post(`/workflows/${id}/enable`))
    return { id, triggers }
  }

  /** Numbers of runs and of mails of each contact. */
  const happened = async () => {
    const { log } = await openSqliteLog(killed.data)
    const [runs, mails] = [new Map<unknown, number>(), new Map<unknown, number>()]
    const contactOf = new Map<string, unknown>()
    const count = (of: Map<unknown, number>, key: unknown) => of.set(key, (of.get(key) ?? 0) + 1)
    for await (const { type, stream, data: what, metadata } of log.readAll()) {
      if (type === 'RunStarted') {
        count(runs, what.contact_id)
        contactOf.set(`run:${stream.slice(stream.lastIndexOf('-') + 1)}`, what.contact_id)
      }
      if (type === 'MailingBegun') count(mails, contactOf.get(metadata.$correlationId))
    }
    await log.close()
    return { runs, mails }
  }

  it('14 81, 82: let each contact in once, whom two tags meet at once, also where the triggers are turned away meanwhile', async () => {
    ok(await killed.api.put(`${workspace}/emails/settings`, { marketing_setting: BUSINESS }))
    ok(await killed.api.post(`${workspace}/emails/addresses`, { emails_address: { username: 'news', name: 'News' } }))
    const tags = [await killed.tag('one'), await killed.tag('two')]
    const { id, triggers } = await mailedBy(tags)
    await killed.createContacts(CONTACTS)
    const action = ok(
      await killed.api.post(`${workspace}/contacts/tag_actions`, {
        contacts_tag_action: { tag_ids: tags, action_type: 'add', target_all: true },
      }),
    )
    const done = async () => Number(ok(await killed.api.get(`/workflows/${id}`)).completed_runs_count)
    for (let kill = 1; kill <= KILLS; kill++) {
      while ((await done()) < Math.floor((kill * CONTACTS) / (KILLS + 1))) await pause(1)
      await killed.again(kill % 2 === 1 ? 'SIGKILL' : 'SIGTERM')
    }
    while (ok(await killed.api.get(`/contacts/tag_actions/${action.id}`)).completed_at === null) await pause(5)
    for (const one of triggers)
      ok(await killed.api.put(`/workflows/triggers/${one}`, { workflows_trigger: { active: false } }))
    await killed.again('SIGTERM')
    while ((await done()) < CONTACTS) await pause(10)
    await killed.stop()
    const { runs, mails } = await happened()
    expect([runs.size, mails.size], 'nobody is missing').to.deep.equal([CONTACTS, CONTACTS])
    expect([...runs, ...mails].filter(([, times]) => times !== 1)).to.deep.equal([])
    printFigures(
      'entries-kill',
      `${CONTACTS} contacts with two tags each entered and were mailed once over ${KILLS + 1} ends`,
    )
  })
})
