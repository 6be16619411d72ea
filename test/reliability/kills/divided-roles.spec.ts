import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { readConfig } from '../../../infra/config.ts'
import { openStores } from '../../../infra/stores/open.ts'
import { startOwnLog } from '../../servers/own-log.ts'
import { type ApiClient, apiClient, ok } from '../../support/client.ts'
import { type Spawned, spawnMillrace } from '../../support/millrace.ts'
import type { Random } from '../../support/random.ts'
import { BUSINESS } from '../../support/records/emails.ts'
import { javaServer } from '../../support/servers/mongo-servers.ts'
import { openWorkspace, settingsOn } from '../../support/servers/on-servers.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { suiteDirectories } from '../service-process.ts'
import { draftToAnns } from './broadcasting.ts'

const MAILED = byForm(300, 10_000)
const ENTERING = byForm(60, 1000)
/** Kills of each role during the broadcast, and during the workflow. */
const ROUNDS = byForm(1, 3)
const AT_ONCE = 50
const DAY_MS = 24 * 60 * 60 * 1000
const ROLES = ['worker', 'projector', 'api'] as const
type Role = (typeof ROLES)[number]
/** Second processes of a role, which are not killed. */
const SECOND = { other: 'api', spare: 'worker' } as const
type Second = keyof typeof SECOND

/** Two processes answer requests, one projects and two want to run the workers, on a log and documents over the network. */
describe('mail and workflows in divided roles, with kills of each', function () {
  this.timeout(patience * 2)
  if (javaServer.missing) {
    it.skip(javaServer.missing)
    return
  }
  const places = suiteDirectories('roles')
  const running = new Map<Role | Second, Spawned>()
  let data: string
  let log: Awaited<ReturnType<typeof startOwnLog>>
  let sink: Awaited<ReturnType<typeof startSink>>
  let settings: Record<string, string>
  let live: Awaited<ReturnType<typeof openWorkspace>>
  let chance: Random
  /** Number of mails up to which the sink answers: others are under way when a process is killed. */
  let gate = 0
  let answered = 0

  const start = async (role: Role | Second) => {
    const roles = role in SECOND ? SECOND[role as Second] : role
    running.set(role, await spawnMillrace(data, { ...settings, MILLRACE_ROLES: roles, MILLRACE_LOG_LEVEL: 'error' }))
  }
  const kill = async (role: Role) => {
    await running.get(role)!.stop('SIGKILL')
    await start(role)
  }
  /** A client of one of the processes that answer. */
  const through = (role: 'api' | 'other', { token }: { readonly token: string }): ApiClient =>
    apiClient(running.get(role)!.ready.origin, token)

  before(async () => {
    chance = places.chance
    data = places.place()
    sink = await startSink({
      message: async () => {
        while (answered >= gate) await wait(5)
        answered++
        return undefined
      },
    })
    log = await startOwnLog('roles-log')
    settings = {
      ...settingsOn(log.url, await javaServer.url(), `roles-${process.pid}`),
      ...{ SMTP_URL: sink.url, MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com' },
    }
    for (const role of ['projector', 'worker', 'spare', 'api', 'other'] as const) await start(role)
    live = await openWorkspace('Live', settings)
  })
  after(async () => {
    await Promise.all([...running.values()].map((one) => one.stop('SIGKILL')))
    await sink?.stop()
    await log?.stop()
    places.clear()
  })

  const createContacts = async (of: typeof live, first_name: string, count: number) => {
    const api = through('other', of)
    for (let made = 0; made < count; made += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - made) }, async (_, index) => {
          const email_address = `${first_name}${made + index}@d${index % 10}.example`.toLowerCase()
          ok(await api.post(`/workspaces/${of.workspaceId}/contacts`, { contact: { email_address, first_name } }))
        }),
      )
  }
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await wait(50)
  }
  /** Kills each role so often, in an order by chance, whenever so much more has been done. */
  const killedOnTheWay = async (done: () => Promise<number> | number, all: number) => {
    const left: Role[] = Array.from({ length: ROUNDS }, () => ROLES).flat()
    for (let number = 1; left.length > 0; number++) {
      const enough = Math.floor((number * all) / (3 * ROUNDS + 1))
      gate = enough
      await until(async () => (await done()) >= enough)
      const [role] = left.splice(chance.below(left.length), 1)
      await kill(role!)
    }
    gate = Number.POSITIVE_INFINITY
    await until(async () => (await done()) >= all)
  }
  /** Reads what the processes have left behind, once they have stopped. */
  const openLeft = async () => {
    await Promise.all([...running.values()].map((one) => one.stop()))
    running.clear()
    return openStores(readConfig(settings))
  }

  it('14 29, 23, 24: of two orders at once to two processes one counts; each gets one message, and has one outcome', async () => {
    await createContacts(live, 'Ann', MAILED)
    const id = await draftToAnns(through('api', live), live.workspaceId)
    await until(async () => (await through('other', live).get(`/emails/broadcasts/${id}`)).status === 200)
    const both = (['api', 'other'] as const).map((role) => through(role, live))
    const answers = await Promise.all(both.map((api) => api.post(`/emails/broadcasts/${id}/send_actions`)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 422])
    expect(answers.find(({ status }) => status === 422)?.body.error).to.match(/is sending already/)
    await killedOnTheWay(() => sink.arrived.length, MAILED * 0.7)
    const shown = () => through('other', live).get(`/emails/broadcasts/${id}`)
    await until(async () => ok(await shown()).complete_at !== null)
    const { outcomes } = ok(await through('other', live).get(`/emails/broadcasts/${id}/stats`))
    const doubted = outcomes.in_doubt
    expect(outcomes.sent + doubted, JSON.stringify(outcomes)).to.equal(MAILED)
    const sent = sink.arrived.map(({ to }) => to[0])
    expect(new Set(sent).size, 'nobody twice').to.equal(sent.length)
    expect(sent.length).to.be.within(outcomes.sent, MAILED)
    const kills = 3 * ROUNDS
    printFigures('divided-roles', `${kills} kills, ${MAILED} mails: ${outcomes.sent} sent once, ${doubted} in doubt`)
  })

  it('14 81, 86, 87, 98: a workflow that waits, mails and splits takes each step once', async () => {
    const tested = await openWorkspace('Tested', settings, '--test')
    const workflow = await workflowOf(tested)
    for (const name of ['Bea', 'Cleo']) await createContacts(tested, name, ENTERING / 2)
    const counts = async () => {
      const { active_runs_count: active, completed_runs_count: over } = ok(await workflow.shown())
      return { active: Number(active), over: Number(over) }
    }
    await workflow.begin()
    await killedOnTheWay(async () => (await counts()).active, ENTERING)
    const waiting = async () => ok(await workflow.runs('filter[status]=active')).length === 0
    await until(waiting)
    const clock = `/workspaces/${tested.workspaceId}/test_clock`
    const { now } = ok(await through('other', tested).get(clock))
    ok(await through('other', tested).post(clock, { to: new Date(Date.parse(now) + 2 * DAY_MS).toISOString() }))
    await killedOnTheWay(async () => (await counts()).over, ENTERING)

    const stores = await openLeft()
    const found = new Map<string, number>()
    const note = (key: string) => found.set(key, (found.get(key) ?? 0) + 1)
    for await (const { type, stream, data: what, metadata } of stores.log.readAll()) {
      if (metadata.workspace_id !== tested.workspaceId) continue
      if (type === 'RunStarted') note(`started ${what.contact_id}`)
      if (type === 'RunPaused') note(`paused ${stream}`)
      if (type === 'RunStepPassed') note(`${what.outcome}${what.reason ?? ''} ${stream} ${what.step_id}`)
      if (type === 'MailingBegun') note(`mailed ${what.cause}`)
      if (type === 'ContactTagApplied') note(`tagged ${stream} ${what.tag_id}`)
    }
    await stores.close()
    expect([...found].filter(([, times]) => times !== 1)).to.deep.equal([])
    const kinds: Record<string, number> = {}
    for (const key of found.keys()) kinds[key.split(' ')[0]!] = (kinds[key.split(' ')[0]!] ?? 0) + 1
    const [once, all] = [ENTERING, 4 * ENTERING]
    expect(kinds).to.deep.equal({ started: once, paused: once, done: all, mailed: once, tagged: 2 * ENTERING })
    printFigures('divided-roles', `${6 * ROUNDS} kills, ${ENTERING} runs: each step, mail and tag once`)
  })

  /** Makes a workflow like that of the demo: it waits a day, mails, and splits. */
  const workflowOf = async (tested: typeof live) => {
    const api = () => through('other', tested)
    const at = `/workspaces/${tested.workspaceId}`
    ok(await api().put(`${at}/emails/settings`, { marketing_setting: BUSINESS }))
    ok(await api().post(`${at}/emails/addresses`, { emails_address: { username: 'tested', name: 'Tested' } }))
    const tag = async (name: string): Promise<number> =>
      ok(await api().post(`${at}/contacts/tags`, { contacts_tag: { name } })).id
    const [by, matched, unmatched] = [await tag('by'), await tag('matched'), await tag('unmatched')]
    const criteria = [{ attribute: 'first_name', clause: 'eq', value: 'Bea' }]
    const filter = ok(await api().post(`${at}/refine_filters`, { refine_filter: { name: 'Beas', criteria } }))
    const { id } = ok(await api().post(`${at}/workflows`, { workflow: { name: 'W' } }))
    const trigger = { event_type_key: '$contact.tag_applied', contacts_tag_id: by }
    ok(await api().post(`/workflows/${id}/triggers`, { workflows_trigger: trigger }))
    const step = async (step_type_settings: object, place: object = {}): Promise<number> =>
      ok(await api().post(`/workflows/${id}/steps`, { workflows_step: { step_type_settings, ...place } })).id
    const addTag = (one: number) => ({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [one] } })
    await step({ delay_step: { duration: 1, interval: 'days' } })
    await step({ send_email_step: { subject: 'Your code', html_body: '<p>Hello {{ contact.first_name }}</p>' } })
    const split = await step({ conditional_split_step: { condition: { filter_id: filter.id } } })
    await step(addTag(matched), { parent_step_id: split, branch: 'matched' })
    await step(addTag(unmatched), { parent_step_id: split, branch: 'unmatched' })
    ok(await api().post(`/workflows/${id}/enable`))
    return {
      shown: () => api().get(`/workflows/${id}`),
      runs: (query: string) => api().get(`/workflows/${id}/runs?${query}`),
      begin: async () => {
        const contacts_tag_action = { tag_ids: [by], action_type: 'add', target_all: true }
        ok(await api().post(`${at}/contacts/tag_actions`, { contacts_tag_action }))
      },
    }
  }
})
