import { existsSync } from 'node:fs'
import { serve } from '../child.ts'
import type { DataSet } from '../data-sets.ts'
import { fire } from '../load.ts'
import { type Resident, residentMemory } from '../memory.ts'
import { programFile } from '../places.ts'
import type { Probe, ProbeContext, Reading } from '../probe.ts'
import { type ServiceOptions, startService } from '../service.ts'
import { readsOf } from '../targets.ts'
import { walk } from '../walk.ts'

const SETTLE_MS = 1000
const CONNECTIONS = 16
const BEHIND = 5000

const EMPTY = 'start, empty, with the demo workspace'
const MANY = 'start, many contacts'
const KILLED = `start, many events, after SIGKILL, ${BEHIND.toLocaleString('en-GB')} documents behind`
const IDLE = 'resident, many contacts, idle'
const USED = 'resident, after reading all contacts'

const memory = (label: string, { total, anonymous }: Resident): readonly Reading[] => [
  { label, unit: 'MiB', value: total },
  { label: `${label}, anonymous`, unit: 'MiB', value: anonymous },
]

/** Reads every contact from the list, then single contacts for some seconds. */
const readAll = async (api: string, set: DataSet, seconds: number): Promise<void> => {
  const ids = await walk(api, set)
  await fire(readsOf(api, set, ids), CONNECTIONS, seconds)
}

/** Starts a service and measures its memory when it is idle, before and after use. */
const look = async (directory: string, options: ServiceOptions, use?: (api: string) => Promise<void>) => {
  const service = await startService(directory, options)
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const idle = residentMemory(service.pid)
    await use?.(service.ready.origin)
    return { startedIn: service.startedIn, idle, used: residentMemory(service.pid) }
  } finally {
    await service.stop()
  }
}

/** Milliseconds of a start that first has to project the writes acknowledged before a kill. */
const startAfterKill = async ({ data, root }: ProbeContext): Promise<number | undefined> => {
  const program = programFile('behind', root)
  if (!existsSync(program)) return undefined
  const { directory, workspaceId } = await data.history()
  const appending = await serve(program, { args: [directory, String(workspaceId), String(BEHIND)] })
  await appending.stop('SIGKILL')
  return (await look(directory, { root })).startedIn
}

/** (f) Start time and memory of the service, empty and with many contacts. */
export const footprint: Probe = {
  benchmark: 'f',
  title: ({ million }) =>
    `start and resident memory, empty and with ${million.toLocaleString('en-GB')} contacts or events; mapped pages counted`,
  async prepare(context) {
    const { root, scratch, data, effort } = context
    const set = await data.large()
    return {
      async read() {
        const empty = await look(await scratch('empty'), { demo: true, root })
        const killed = await startAfterKill(context)
        const large = await look(set.directory, { root }, (api) => readAll(api, set, effort.seconds))
        return [
          { label: EMPTY, unit: 'ms', value: empty.startedIn },
          { label: MANY, unit: 'ms', value: large.startedIn },
          { label: KILLED, unit: 'ms', value: killed },
          ...memory('resident, empty, idle', empty.idle),
          ...memory(IDLE, large.idle),
          ...memory(USED, large.used),
        ]
      },
    }
  },
  targets: [
    { says: EMPTY, of: EMPTY, atMost: 1000, goal: 700 },
    { says: KILLED, of: KILLED, atMost: 2500, goal: 1500 },
    { says: IDLE, of: IDLE, atMost: 125, goal: 100 },
    { says: USED, of: USED, atMost: 450, goal: 350 },
  ],
  mostRounds: 5,
}
