import { serve } from '../child.ts'
import type { DataSet } from '../data-sets.ts'
import { fire, type Target } from '../load.ts'
import { programFile } from '../places.ts'
import type { Finding } from '../report.ts'
import { interleave, percent } from '../rounds.ts'
import { startService } from '../service.ts'
import { median } from '../statistics.ts'
import type { Setting } from './setting.ts'

export const CONNECTIONS = 64
const CONTACTS = 500

/** Some contacts of a data set, one after the other. */
export const readsOf = (api: string, { token, sample }: DataSet): Target => ({
  url: api,
  headers: { authorization: `Bearer ${token}` },
  shots: sample.slice(0, CONTACTS).map((id) => ({ method: 'GET', path: `/api/v2/contacts/${id}` }) as const),
})

/** (b) What all that Millrace does for a read costs, beside an answer that is only turned into JSON. */
export const reads = async ({ effort, data, scratch, profile }: Setting): Promise<Finding> => {
  const set = await data.small()
  const bare = await serve<{ api: string }>(programFile('bare'), { args: [await scratch('bare')] })
  const service = await startService(set.directory, { profile })
  const ours = readsOf(service.ready.origin, set)
  const theirs = { url: bare.ready.api, shots: [{ method: 'GET', path: '/' }] as const }
  try {
    const values = await interleave(effort.rounds, {
      bare: async () => (await fire(theirs, CONNECTIONS, effort.seconds)).perSecond,
      ours: async () => (await fire(ours, CONNECTIONS, effort.seconds)).perSecond,
    })
    const share = median(percent(values.ours, values.bare))
    return {
      benchmark: 'b',
      title: `GET /contacts/{id}, ${CONNECTIONS} connections`,
      figures: [
        { label: 'bare Koa, JSON', unit: 'requests/s', values: values.bare },
        { label: 'GET /contacts/{id}', unit: 'requests/s', values: values.ours },
      ],
      targets: [{ says: 'share of the bare rate', value: share, unit: '%', atLeast: 60 }],
    }
  } finally {
    await Promise.all([bare.stop(), service.stop()])
  }
}
