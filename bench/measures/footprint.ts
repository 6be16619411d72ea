import type { DataSet } from '../data-sets.ts'
import { fire } from '../load.ts'
import { type Resident, residentMemory } from '../memory.ts'
import type { Figure, Finding } from '../report.ts'
import { interleave } from '../rounds.ts'
import { type ServiceOptions, startService } from '../service.ts'
import { median } from '../statistics.ts'
import type { Setting } from './setting.ts'

export const MOST_ROUNDS = 5
const SETTLE_MS = 1000
const CONNECTIONS = 16

export interface Footprint {
  readonly startedIn: number
  readonly idle: Resident
  /** After records and pages from all over the data have been read. */
  readonly used?: Resident
}

const useIt = async (api: string, { token, sample, workspaceId }: DataSet, seconds: number): Promise<void> => {
  const shots = sample.flatMap((id) => [
    { method: 'GET', path: `/api/v2/contacts/${id}` } as const,
    { method: 'GET', path: `/api/v2/workspaces/${workspaceId}/contacts?after=${id}` } as const,
  ])
  await fire({ url: api, headers: { authorization: `Bearer ${token}` }, shots }, CONNECTIONS, seconds)
}

/** Starts a service, waits until it is idle, and looks at it, also after use where there is something to use. */
export const look = async (
  directory: string,
  options: ServiceOptions,
  use?: { readonly set: DataSet; readonly seconds: number },
): Promise<Footprint> => {
  const service = await startService(directory, options)
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const idle = residentMemory(service.pid)
    if (!use) return { startedIn: service.startedIn, idle }
    await useIt(service.ready.origin, use.set, use.seconds)
    return { startedIn: service.startedIn, idle, used: residentMemory(service.pid) }
  } finally {
    await service.stop()
  }
}

const memoryFigures = (label: string, values: readonly Resident[]): Figure[] => {
  const anonymous = values.flatMap((value) => value.anonymous ?? [])
  return [
    { label: `resident memory, ${label}`, unit: 'MiB', values: values.map(({ total }) => total) },
    ...(anonymous.length > 0 ? [{ label: '  of which anonymous', unit: 'MiB', values: anonymous }] : []),
  ]
}

/** (f) How long the service takes to start, and what it holds in memory, empty and with a million contacts. */
export const footprint = async ({ effort, data, scratch }: Setting): Promise<Finding> => {
  const large = await data.large()
  const values = await interleave(Math.min(effort.rounds, MOST_ROUNDS), {
    empty: async () => look(await scratch('empty'), { demo: true }),
    large: () => look(large.directory, {}, { set: large, seconds: effort.seconds }),
  })
  const many = `${effort.million.toLocaleString('en-GB')} contacts`
  const used = values.large.map((value) => value.used!)
  return {
    benchmark: 'f',
    title: 'start-up and resident memory',
    figures: [
      { label: 'start-up, empty, with the demo workspace', unit: 'ms', values: values.empty.map((v) => v.startedIn) },
      { label: `start-up, ${many}`, unit: 'ms', values: values.large.map((v) => v.startedIn) },
      ...memoryFigures(
        'empty',
        values.empty.map((v) => v.idle),
      ),
      ...memoryFigures(
        `${many}, idle`,
        values.large.map((v) => v.idle),
      ),
      ...memoryFigures(`${many}, after reading all over`, used),
    ],
    targets: [
      { says: `start-up, ${many}`, value: median(values.large.map((v) => v.startedIn)), unit: 'ms', atMost: 2000 },
      { says: `resident memory, ${many}`, value: median(used.map(({ total }) => total)), unit: 'MiB', atMost: 400 },
    ],
  }
}
