import { serve } from '../child.ts'
import { fire } from '../load.ts'
import { contactFields } from '../people.ts'
import { programFile } from '../places.ts'
import type { Finding } from '../report.ts'
import { interleave, ratios } from '../rounds.ts'
import { startService } from '../service.ts'
import { median } from '../statistics.ts'
import type { Setting } from './setting.ts'

const CONNECTIONS = 64

/** (a) What all that Millrace does for a write costs, beside one that is only put on disk. */
export const writes = async ({ effort, scratch, profile }: Setting): Promise<Finding> => {
  const bare = await serve<{ api: string }>(programFile('bare'), { args: [await scratch('bare')] })
  const service = await startService(await scratch('writes'), { demo: true, profile })
  const { api, workspace_id, api_key } = service.ready
  const shot = (path: string) => (n: number) =>
    ({ method: 'POST', path, body: JSON.stringify({ contact: contactFields(n) }) }) as const
  const ours = {
    url: api,
    headers: { authorization: `Bearer ${api_key}` },
    shots: shot(`/api/v2/workspaces/${workspace_id}/contacts`),
  }
  const theirs = { url: bare.ready.api, shots: shot('/') }
  try {
    const values = await interleave(effort.rounds, {
      bare: async () => (await fire(theirs, CONNECTIONS, effort.seconds)).perSecond,
      ours: async () => (await fire(ours, CONNECTIONS, effort.seconds)).perSecond,
    })
    const share = median(ratios(values.ours, values.bare)) * 100
    return {
      benchmark: 'a',
      title: `POST contacts, ${CONNECTIONS} connections`,
      figures: [
        { label: 'bare Koa, one LMDB record, flushed', unit: 'requests/s', values: values.bare },
        { label: 'POST contacts', unit: 'requests/s', values: values.ours },
      ],
      targets: [{ says: 'share of the bare rate', value: share, unit: '%', atLeast: 40 }],
    }
  } finally {
    await Promise.all([bare.stop(), service.stop()])
  }
}
