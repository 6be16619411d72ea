import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { ALL_WORKSPACES, DUE } from '../../domain/kernel/model/due.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { type ApiClient, apiClient, ok } from '../support/client.ts'
import { openBackground } from '../support/filled.ts'
import { type Spawned, spawnMillrace } from '../support/millrace.ts'
import { byForm, patience, printFigures } from './form.ts'
import { type Audience, fillAudience } from './kills/broadcasting.ts'
import { machineClock } from './kills/machine-clock.ts'
import { cpuSeconds, residentMiB } from './process-costs.ts'
import { suiteDirectories } from './service-process.ts'

const RUNS = byForm(500, 50_000)
const IDLE_MS = byForm(2000, 30_000)
const DAY_MS = 24 * 60 * 60 * 1000
/** What waiting runs may cost a process at rest: a share of a processor, and memory. */
const MOST_SHARE = 0.01
const MOST_MIB = 40

describe(`${RUNS} runs that wait`, function () {
  this.timeout(patience)
  const places = suiteDirectories('waiting-runs')
  let clock: ReturnType<typeof machineClock>
  let data: string
  let audience: Audience
  let service: Spawned
  let api: ApiClient
  let workspace: string
  let late: number
  let workflow: number

  const start = async () => {
    const settings = { MILLRACE_DEMO: '0', MILLRACE_LOG_LEVEL: 'fatal', ...clock.settings }
    service = await spawnMillrace(data, settings)
    api = apiClient(service.ready.origin, audience.token)
  }
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await wait(50)
  }
  const shown = async () => {
    const { active_runs_count, completed_runs_count } = ok(await api.get(`/workflows/${workflow}`))
    return { active: Number(active_runs_count), completed: Number(completed_runs_count) }
  }
  /** Starts the service anew, and measures it while nothing happens. */
  const atRest = async () => {
    expect(await service.stop()).to.equal(0)
    await start()
    await wait(IDLE_MS)
    const { pid = 0 } = service.child
    const before = cpuSeconds(pid)
    const begun = performance.now()
    await wait(IDLE_MS)
    const share = ((cpuSeconds(pid) - before) * 1000) / (performance.now() - begun)
    return { share, mib: residentMiB(pid) }
  }

  before(async function () {
    if (process.platform !== 'linux') this.skip()
    data = places.place()
    clock = machineClock(places.place())
    const addresses = Array.from({ length: RUNS }, (_, n) => `c${n}@waiting.example`)
    audience = await fillAudience(data, addresses)
    workspace = `/workspaces/${audience.workspaceId}`
    await start()
  })
  after(async () => {
    await service?.stop('SIGKILL')
    places.clear()
  })

  it('cost nothing while they wait', async () => {
    const without = await atRest()
    const tag = async (name: string): Promise<number> =>
      ok(await api.post(`${workspace}/contacts/tags`, { contacts_tag: { name } })).id
    const [by, after] = [await tag('by'), await tag('late')]
    late = after
    workflow = ok(await api.post(`${workspace}/workflows`, { workflow: { name: 'W' } })).id
    const trigger = { event_type_key: '$contact.tag_applied', contacts_tag_id: by }
    ok(await api.post(`/workflows/${workflow}/triggers`, { workflows_trigger: trigger }))
    for (const step_type_settings of [
      { delay_step: { duration: 30, interval: 'days' } },
      { contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [late] } },
    ])
      ok(await api.post(`/workflows/${workflow}/steps`, { workflows_step: { step_type_settings } }))
    ok(await api.post(`/workflows/${workflow}/enable`))
    const contacts_tag_action = { tag_ids: [by], action_type: 'add', target_all: true }
    ok(await api.post(`${workspace}/contacts/tag_actions`, { contacts_tag_action }))
    await until(async () => (await shown()).active === RUNS)
    const paused = async () => {
      const found = ok(await api.get(`/workflows/${workflow}/runs?filter[status]=active`))
      return found.length === 0
    }
    await until(paused)
    const beside = await atRest()
    const figures = [without, beside].map(({ share, mib }) => `${(share * 100).toFixed(2)} %, ${Math.round(mib)} MiB`)
    printFigures('waiting-runs', `at rest without runs ${figures[0]}; with ${RUNS} that wait ${figures[1]}`)
    expect(beside.share - without.share).to.be.below(MOST_SHARE)
    expect(beside.mib - without.mib).to.be.below(MOST_MIB)
  })

  it('14 103: after the workflow is disabled no step has an effect, and their timers are gone', async () => {
    ok(await api.post(`/workflows/${workflow}/disable`))
    clock.forward(31 * DAY_MS)
    await until(async () => (await shown()).active === 0)
    ok(await api.post(`/workflows/${workflow}/enable`))
    // The timers of all runs would be due by now.
    await wait(IDLE_MS)
    expect(await shown()).to.deep.equal({ active: 0, completed: 0 })
    expect(ok(await api.get(`${workspace}/contacts?filter[tag_ids]=${late}`))).to.deep.equal([])
    expect(await service.stop()).to.equal(0)
    const background = await openBackground(data)
    const { live } = background.stores.readModels
    const where = { [DUE.in]: ALL_WORKSPACES, [DUE.at]: { $gt: '' } }
    const timers = await live.find(run.name, { where, sort: { by: DUE.at }, limit: 1 })
    const canceled = await live.find(run.name, { where: { workflow_id: workflow, status: 'canceled' } })
    await background.stop()
    expect([timers.length, canceled.length]).to.deep.equal([0, RUNS])
  })
})
