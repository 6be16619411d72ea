import { serve } from '../child.ts'
import { fire, type Target } from '../load.ts'
import { contactFields } from '../people.ts'
import { programFile } from '../places.ts'
import type { Finding } from '../report.ts'
import { interleave, percent } from '../rounds.ts'
import { startService } from '../service.ts'
import { median } from '../statistics.ts'
import type { Setting } from './setting.ts'

export const CONNECTIONS = 64

const createsAt = (path: string) => (n: number) =>
  ({ method: 'POST', path, body: JSON.stringify({ contact: contactFields(n) }) }) as const

/** Contacts created in a workspace, each with an address of its own. */
export const postsTo = (api: string, workspaceId: number, key: string): Target => ({
  url: api,
  headers: { authorization: `Bearer ${key}` },
  shots: createsAt(`/api/v2/workspaces/${workspaceId}/contacts`),
})

/** (a) What all that Millrace does for a write costs, beside one that is only put on disk. */
export const writes = async ({ effort, scratch, profile }: Setting): Promise<Finding> => {
  const bare = await serve<{ api: string }>(programFile('bare'), { args: [await scratch('bare')] })
  const service = await startService(await scratch('writes'), { demo: true, profile })
  const { origin: api, workspace_id, api_key } = service.ready
  const ours = postsTo(api, workspace_id!, api_key!)
  const theirs = { url: bare.ready.api, shots: createsAt('/') }
  const rate = (target: Target, connections: number) => async () =>
    (await fire(target, connections, effort.seconds)).perSecond
  try {
    const values = await interleave(effort.rounds, {
      bare: rate(theirs, CONNECTIONS),
      ours: rate(ours, CONNECTIONS),
      bareAlone: rate(theirs, 1),
      oursAlone: rate(ours, 1),
    })
    const share = median(percent(values.ours, values.bare))
    return {
      benchmark: 'a',
      title: `POST contacts, ${CONNECTIONS} connections, and a lone one`,
      figures: [
        { label: 'bare Koa, one LMDB record, flushed', unit: 'requests/s', values: values.bare },
        { label: 'POST contacts', unit: 'requests/s', values: values.ours },
        { label: 'bare, 1 connection', unit: 'requests/s', values: values.bareAlone },
        { label: 'POST contacts, 1 connection', unit: 'requests/s', values: values.oursAlone },
        {
          label: 'share of the bare rate, 1 connection',
          unit: '%',
          values: percent(values.oursAlone, values.bareAlone),
        },
      ],
      targets: [{ says: 'share of the bare rate', value: share, unit: '%', atLeast: 40 }],
    }
  } finally {
    await Promise.all([bare.stop(), service.stop()])
  }
}
