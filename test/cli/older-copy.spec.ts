import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { runWorkflowAction } from '../../domain/workflows/run/run-action.ts'
import { isOfCopy } from '../../workers/older-copy.ts'
import { causeOfTimer } from '../../workers/timers/cause.ts'
import { draft, order } from '../api/mail/broadcasting.ts'
import { workflowOf } from '../api/workflows/making.ts'
import { apiClient, ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { filling } from '../support/filled.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'
import { carryingOut, type Tenant } from '../support/service.ts'

/** Time within which the first process has stopped, and the schedule is due. */
const SOON_MS = 6000

describe('an older copy of the data', function () {
  this.timeout(120_000)
  let data: string
  let service: Spawned | undefined

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-copy-'))
  })
  afterEach(() => service?.stop())
  after(async () => {
    for (const place of [data, `${data}-actions`]) await rm(place, { recursive: true, force: true })
  })

  const held = async (at = data) =>
    (await millrace(['mails', 'list', '--held', '--json', '--data', at])).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly item?: string; readonly reason: string })
  /** Gives the word for the copy as a whole. What is held of it waits for further ones. */
  const letGoOn = async (at: string) => {
    const asked = async (...word: readonly string[]) => millrace(['copy', ...word, '--data', at, '--json'])
    expect(JSON.parse((await asked('show')).out)).to.include({ data: 'waiting' })
    expect(await held(at), 'nothing is taken up before').to.deep.equal([])
    expect(JSON.parse((await asked('release')).out)).to.include({ data: 'copy' })
    expect((await asked('release')).err).to.contain('do not wait')
  }
  const soon = (check: () => Promise<unknown>) => eventually(check)

  it('14 107: runs and schedules that fell due since are listed, and go on by the word of the operator alone', async () => {
    service = await hostMillrace(`${data}.filled`)
    const { ready } = service
    const place = { teamId: 1, workspaceId: ready.workspace_id }
    const tenant = { ...place, api: apiClient(ready.origin, ready.api_key!) } as unknown as Tenant
    const { api, workspaceId } = tenant
    const contact = { first_name: 'Ann', email_address: 'ann@copy.example' }
    const { id: contact_id } = ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact }))
    const broadcast = await draft(tenant)
    const workflowWith = async (...steps: readonly object[]) => {
      const workflow = await workflowOf(tenant)
      await workflow.trigger({ event_type_key: '$optin' })
      for (const one of steps) await workflow.step(one)
      ok(await workflow.enable())
      return workflow
    }
    const patient = await workflowWith({ delay_step: { delay_type: 'relative', duration: 1, interval: 'days' } })
    const mailing = await workflowWith({ send_email_step: { subject: 'Hello', html_body: '<p>Hello</p>' } })
    const runsOf = async ({ id }: { readonly id: number }) => ok(await api.get(`/workflows/${id}/runs`))
    ok(await api.post(`${patient.path}/runs`, { run: { contact_id } }))
    await soon(async () => expect((await runsOf(patient))[0].status).to.equal('paused'))
    const due = Date.now() + SOON_MS
    ok(await order(tenant, broadcast, { send_at: new Date(due).toISOString() }))
    await service.stop()
    expect(Date.now(), 'the schedule is not due yet').to.be.below(due)
    let run = 0
    await filling(data, async (background) => {
      run = await carryingOut(background, place)(ask(runs, 'new', 'create', { workflow_id: mailing.id, contact_id }))
    })
    await new Promise((go) => setTimeout(go, Math.max(0, due + 100 - Date.now())))

    service = await hostMillrace(data, { MILLRACE_MAIL_HOLD_HOURS: '0' })
    await letGoOn(data)
    const now = apiClient(service.ready.origin, ready.api_key!)
    await soon(async () =>
      expect((await held()).map(({ item, reason }) => [item, reason])).to.have.deep.members([
        [`run-${run}`, 'older_copy'],
        [`broadcast-${broadcast}`, 'older_copy'],
      ]),
    )
    expect(ok(await now.get(`/workflows/runs/${run}/trace`)).run).to.include({
      status: 'paused',
      held_reason: 'older_copy',
    })
    expect(ok(await now.get(`/workflows/${patient.id}/runs`))[0].status).to.equal('paused')
    // The next start does not take it for an older copy any more, and knows all the same.
    await service.stop()
    service = await hostMillrace(data)
    expect(await held()).to.have.length(2)

    const again = apiClient(service.ready.origin, ready.api_key!)
    expect((await millrace(['mails', 'release', '--all', '--data', data])).out).to.equal(
      `run-${run} is released\nbroadcast-${broadcast} is released\n`,
    )
    await soon(async () => expect(ok(await again.get(`/workflows/runs/${run}`)).status).to.equal('completed'))
    await soon(async () => expect(ok(await again.get(`/emails/broadcasts/${broadcast}`)).status).to.equal('complete'))
    expect(await held()).to.deep.equal([])
    expect((await millrace(['mails', 'release', `run-${run}`, '--data', data])).err).to.contain('not held')
  })

  it('14 107: actions that start a workflow for many contacts, or tag them, go on by the word of the operator alone', async () => {
    const place = `${data}-actions`
    service = await hostMillrace(`${place}.filled`)
    const { ready } = service
    const { workspace_id: workspaceId } = ready
    const tenant = { teamId: 1, workspaceId, api: apiClient(ready.origin, ready.api_key!) } as unknown as Tenant
    const { api } = tenant
    const inWorkspace = (path: string) => `/workspaces/${workspaceId}/contacts${path}`
    const contact = { first_name: 'Ann', email_address: 'ann@actions.example' }
    const { id: contact_id } = ok(await api.post(inWorkspace(''), { contact }))
    const { id: tag_id } = ok(await api.post(inWorkspace('/tags'), { contacts_tag: { name: 'copied' } }))
    const workflow = await workflowOf(tenant)
    await workflow.trigger({ event_type_key: '$optin' })
    ok(await workflow.enable())
    const of = { target_ids: [contact_id] }
    const later = new Date(Date.now() + SOON_MS).toISOString()
    const tagPath = inWorkspace('/tag_actions')
    const tagAt = async (scheduled_for: string) =>
      ok(await api.post(tagPath, { contacts_tag_action: { tag_ids: [tag_id], ...of, scheduled_for } })).id
    const due = await tagAt(later)
    const toCome = await tagAt(new Date(Date.now() + 86_400_000).toISOString())
    await service.stop()
    expect(new Date().toISOString() < later, 'the schedule is not due yet').to.equal(true)
    let action = 0
    await filling(place, async (background) => {
      const wanted = { workflow_id: workflow.id, all: false, ...of }
      const asked = { aggregate: runWorkflowAction.decider, id: 'new' as const, command: { type: 'create', wanted } }
      action = await carryingOut(background, { teamId: 1, workspaceId })(asked)
    })
    await new Promise((go) => setTimeout(go, Math.max(0, Date.parse(later) + 100 - Date.now())))

    service = await hostMillrace(place, { MILLRACE_MAIL_HOLD_HOURS: '0' })
    await letGoOn(place)
    const now = apiClient(service.ready.origin, ready.api_key!)
    const tags = async () =>
      ok(await now.get(`/contacts/${contact_id}/applied_tags`)).map((one: { readonly tag_id: number }) => one.tag_id)
    const items = [`workflow-action-${action}`, `tag-action-${due}`]
    await soon(async () => expect((await held(place)).map(({ item }) => item)).to.deep.equal(items))
    expect(ok(await now.get(`/workflows/${workflow.id}/runs`))).to.deep.equal([])
    expect(await tags()).to.deep.equal([])
    expect((await millrace(['mails', 'release', '--all', '--data', place])).out).to.equal(
      items.map((item) => `${item} is released\n`).join(''),
    )
    await soon(async () => expect(ok(await now.get(`/workflows/${workflow.id}/runs`))).to.have.length(1))
    await soon(async () => expect(await tags()).to.deep.equal([tag_id]))
    expect(await held(place)).to.deep.equal([])
    expect(ok(await now.get(`/contacts/tag_actions/${toCome}`))).to.include({ completed_at: null, started_at: null })
    expect((await millrace(['mails', 'release', items[0]!, '--data', place])).err).to.contain('not held')
  })

  it('14 107: what follows from a timer that had fallen due by the start is of the copy, and nothing else that comes later', () => {
    const copy = { upTo: 40, startedAt: '2026-11-26T10:00:00.000Z' }
    const at = (position: number, due: string) => ({
      position,
      metadata: { $correlationId: causeOfTimer('workflows/run', 7, { name: 'resume', due }) },
    })
    expect(isOfCopy(at(40, '2026-11-27T00:00:00.000Z'), copy)).to.equal(true)
    expect(isOfCopy(at(41, '2026-11-26T10:00:00.000Z'), copy)).to.equal(true)
    expect(isOfCopy(at(41, '2026-11-26T10:00:00.001Z'), copy)).to.equal(false)
    expect(isOfCopy({ position: 41, metadata: { $correlationId: 'request' } }, copy)).to.equal(false)
    expect(isOfCopy(at(41, '2026-11-26T10:00:00.000Z'), { upTo: -1, startedAt: '' })).to.equal(false)
  })
})
