import type { DataSet } from '../data-sets.ts'
import { fire, type Target } from '../load.ts'
import type { Finding } from '../report.ts'
import { interleave, ratios } from '../rounds.ts'
import { startService } from '../service.ts'
import { median, quantile } from '../statistics.ts'
import type { Setting } from './setting.ts'

/** One at a time: how long a page takes, not how many fit through. */
export const CONNECTIONS = 1
const PAGES = 500

/** Pages from all over the list. */
export const pagesOf = (api: string, { token, workspaceId, sample }: DataSet): Target => {
  const step = Math.max(1, Math.floor(sample.length / PAGES))
  const shots = sample
    .filter((_, i) => i % step === 0)
    .map((id) => ({ method: 'GET', path: `/api/v2/workspaces/${workspaceId}/contacts?after=${id}` }) as const)
  return { url: api, headers: { authorization: `Bearer ${token}` }, shots }
}

/** (c) How the time for a page of 20 grows with the number of contacts. */
export const lists = async ({ effort, data, profile }: Setting): Promise<Finding> => {
  const sets = { small: await data.small(), large: await data.large() }
  const services = {
    small: await startService(sets.small.directory),
    large: await startService(sets.large.directory, { profile }),
  }
  const side = (which: 'small' | 'large') => async () => {
    const { latencies } = await fire(pagesOf(services[which].ready.origin, sets[which]), CONNECTIONS, effort.seconds)
    return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  }
  try {
    const { small, large } = await interleave(effort.rounds, { small: side('small'), large: side('large') })
    const p50 = (values: typeof small) => values.map((value) => value.p50)
    const many = effort.million.toLocaleString('en-GB')
    return {
      benchmark: 'c',
      title: 'a page of 20 of GET /workspaces/{id}/contacts, anywhere in the list',
      figures: [
        { label: 'p50 with 1,000 contacts', unit: 'ms', values: p50(small) },
        { label: `p50 with ${many} contacts`, unit: 'ms', values: p50(large) },
        { label: 'p99 with 1,000 contacts', unit: 'ms', values: small.map(({ p99 }) => p99) },
        { label: `p99 with ${many} contacts`, unit: 'ms', values: large.map(({ p99 }) => p99) },
      ],
      targets: [{ says: 'p50, large to small', value: median(ratios(p50(large), p50(small))), unit: '×', atMost: 1.5 }],
    }
  } finally {
    await Promise.all([services.small.stop(), services.large.stop()])
  }
}
