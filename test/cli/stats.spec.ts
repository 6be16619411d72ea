import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { asCsv, asTable } from '../../infra/cli/commands/stats.ts'
import { apiClient, ok } from '../support/client.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'

describe('millrace stats funnel', function () {
  this.timeout(60_000)
  let data: string
  let service: Spawned
  let id: number

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-cli-stats-'))
    service = await hostMillrace(data)
    const { origin, api_key, workspace_id } = service.ready
    const api = apiClient(origin, api_key ?? '')
    const funnel = { name: '=1+1' }
    id = ok(await api.post(`/workspaces/${workspace_id}/funnels`, { funnel })).id
    const page = { name: '@SUM(A1)', funnel: { funnel_id: id } }
    ok(await api.post(`/workspaces/${workspace_id}/pages`, { page }))
  })
  after(async () => {
    await service.stop()
    await rm(data, { recursive: true, force: true })
  })

  const run = (...args: readonly string[]) => millrace(['stats', 'funnel', ...args, '--data', data])

  it('prints a table for people', async () => {
    const { code, out } = await run(String(id))
    expect(code).to.equal(0)
    expect(out).to.match(/^=1\+1, live mode, \S+ to \S+, USD\n/)
    expect(out).to.match(/\nPage views +0\n/)
    expect(out).to.match(/\nStep +Path +Views +Sessions/)
    expect((await run(String(id), '--test')).out).to.contain('test mode')
  })

  it('prints CSV that no spreadsheet runs (case 61)', async () => {
    const { out } = await run(String(id), '--csv', '--from', '2026-01-01', '--to', '2026-02-01')
    const [header, row] = out.split('\r\n')
    expect(header).to.match(/^Funnel,Step,Path,Views/)
    expect(row).to.match(/^'=1\+1,'@SUM\(A1\),\/[^,]*,0,0,0,0,0,0,0\.00,0,0\.00,0\.00,0\.00,0\.00,USD$/)
  })

  it('says what is wrong', async () => {
    for (const [args, says] of [
      [['999'], /There is no funnel 999/],
      [['nonsense!'], /There is no funnel nonsense!/],
      [[String(id), '--from', 'soon'], /timerange_start must be an ISO 8601 date-time/],
      [[String(id), '--as-of', 'soon'], /as_of must be an ISO 8601 date-time/],
      [[String(id), '--as-of', '2020-01-01'], /There was no funnel/],
    ] as const) {
      const { code, err } = await run(...args)
      expect(code).to.equal(1)
      expect(err).to.match(says)
    }
  })

  it('sends a terminal no control characters', () => {
    const stats = {
      funnel: { name: 'a\u001b[2Jb' },
      timerange: { from: '', to: '' },
      summary: {},
      steps: [{ name: '\r\nx' }],
    }
    expect(asTable(stats)).not.to.match(/[^\P{Cc}\n]/u)
    expect(asCsv({ ...stats, steps: [{ name: '\tx', refunds_value: '-5.00' }] }))
      .to.contain("'\tx")
      .and.contain(',-5.00,')
  })
})
