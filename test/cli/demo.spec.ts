import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { type ApiClient, apiClient, ok } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { hostMillrace, MILLRACE, type Spawned, withoutSettings } from '../support/millrace.ts'

const SETTINGS = { MILLRACE_DEMO: '1' }

/** What the demo consists of, by list, and how many there are. */
const PARTS = {
  products: 3,
  discounts: 1,
  contacts: 1,
  orders: 1,
  fulfillments: 1,
  funnels: 1,
  pages: 4,
  workflows: 2,
  'shipping/profiles': 1,
  'fulfillments/locations': 1,
} as const

describe('the demo', function () {
  this.timeout(180_000)
  let data: string
  const running = new Set<Spawned>()
  beforeEach(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-demo-'))
  })
  afterEach(async () => {
    await Promise.all([...running].map((service) => service.stop()))
    running.clear()
    await rm(data, { recursive: true, force: true })
  })

  const start = async (settings: Readonly<Record<string, string>> = SETTINGS): Promise<Spawned> => {
    const service = await hostMillrace(data, settings)
    running.add(service)
    return service
  }
  const stop = async (service: Spawned, signal?: NodeJS.Signals) => {
    running.delete(service)
    return service.stop(signal)
  }
  const apiOf = ({ ready }: Spawned, key: string | null): ApiClient => apiClient(ready.origin, key ?? '')
  const workspaceOf = ({ ready }: Spawned) => `/workspaces/${ready.workspace_id}`
  const countsOf = async (api: ApiClient, workspace: string) => {
    const counts = Object.keys(PARTS).map(async (list) => [list, ok(await api.get(`${workspace}/${list}`)).length])
    return Object.fromEntries(await Promise.all(counts))
  }
  const isComplete = (api: ApiClient, workspace: string) =>
    eventually(async () => {
      const [funnel] = ok(await api.get(`${workspace}/funnels`))
      expect(funnel && ok(await api.get(`/funnels/${funnel.id}/checkout`)).enabled).to.equal(true)
    })

  it('13b 63: is made once: what its owner has deleted and renamed stays so after a restart', async () => {
    const first = await start()
    const key = first.ready.api_key
    const workspace = workspaceOf(first)
    const api = apiOf(first, key)
    await isComplete(api, workspace)
    expect(await countsOf(api, workspace)).to.deep.equal(PARTS)
    const [code] = ok(await api.get(`${workspace}/discounts`))
    const [funnel] = ok(await api.get(`${workspace}/funnels`))
    await api.delete(`/discounts/${code.id}`)
    ok(await api.put(`/funnels/${funnel.id}`, { funnel: { name: 'My own' } }))
    await stop(first)
    const again = await start()
    expect([again.ready.api_key, again.ready.workspace_id]).to.deep.equal([null, first.ready.workspace_id])
    const later = apiOf(again, key)
    expect(await countsOf(later, workspace)).to.deep.equal({ ...PARTS, discounts: 0 })
    expect(ok(await later.get(`/funnels/${funnel.id}`)).name).to.equal('My own')
  })

  it('13b 63: is completed after kills in the middle, with nothing twice', async () => {
    let key: string | null = null
    let renamed: number | undefined
    for (const pause of [0, 60]) {
      const service = await start()
      key ??= service.ready.api_key
      await wait(pause)
      await stop(service, 'SIGKILL')
      if (renamed !== undefined) continue
      const owned = await start({ MILLRACE_DEMO: '0' })
      const api = apiOf(owned, key)
      const [contact] = ok(await api.get(`/workspaces/1/contacts`))
      renamed = contact?.id
      if (contact) ok(await api.put(`/contacts/${contact.id}`, { contact: { first_name: 'Admiral' } }))
      await stop(owned)
    }
    const service = await start()
    const api = apiOf(service, key)
    const workspace = workspaceOf(service)
    await isComplete(api, workspace)
    expect(await countsOf(api, workspace)).to.deep.equal(PARTS)
    const [contact] = ok(await api.get(`${workspace}/contacts`))
    if (renamed !== undefined) expect(contact.first_name).to.equal('Admiral')
    expect(ok(await api.get('/teams'))).to.have.length(1)
  })

  it('13b 62: is announced with its address, and with the question that counts test mode', async () => {
    const child = spawn(process.execPath, [MILLRACE, 'start', '--port', '0', '--data', data], {
      env: { ...withoutSettings(), ...SETTINGS, MILLRACE_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const [banner] = (await once(child.stdout, 'data')) as [Buffer]
      expect(String(banner)).to.match(/Buy a mug at http:\/\/localhost:\d+\/ and ask what happened:/)
      expect(String(banner)).to.include('millrace stats funnel 1 --test')
    } finally {
      if (child.kill()) await once(child, 'exit')
    }
  })

  it('13b 63: is one where two processes start together', async () => {
    const both = [0, 1].map(() => {
      const child = spawn(process.execPath, [MILLRACE, 'start', '--port', '0', '--data', data, '--json'], {
        env: { ...withoutSettings(), ...SETTINGS, MILLRACE_LOG_LEVEL: 'silent' },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const ready = once(child.stdout!, 'data').then(([line]) => JSON.parse(String(line)))
      return { child, outcome: Promise.race([ready, once(child, 'exit').then(([code]) => code as number)]) }
    })
    const outcomes = await Promise.all(both.map(({ outcome }) => outcome))
    try {
      const ready = outcomes.filter((one) => typeof one === 'object')
      expect(outcomes.filter((one) => one === 1)).to.have.length(1)
      expect(ready).to.have.length(1)
      const api = apiClient(new URL(ready[0].api).origin, ready[0].api_key)
      const workspace = `/workspaces/${ready[0].workspace_id}`
      await isComplete(api, workspace)
      expect(await countsOf(api, workspace)).to.deep.equal(PARTS)
    } finally {
      for (const { child } of both) if (child.exitCode === null && child.kill()) await once(child, 'exit')
    }
  })
})
