import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'

/**
 * Reads a whole log, from EventStoreDB when the settings name one. Takes a data directory; `rebuild`, which builds the read models, or
 * `scan`, which only reads and decodes; and the number of threads that fold, which may be 0. Prints a `Pace`.
 */
export interface Pace {
  readonly events: number
  readonly perSecond: number
}

const [, , directory, what, threads] = process.argv
const stores = await openStores(readConfig({ ...process.env, MILLRACE_DATA: directory }))

const scan = async (): Promise<Pace> => {
  const started = performance.now()
  let events = 0
  for await (const event of stores.log.readAll()) if (event.position >= 0) events++
  return { events, perSecond: (events * 1000) / (performance.now() - started) }
}

const rebuild = async (): Promise<Pace> => {
  const { events, eventsPerSecond } = await (await createCore(stores)).rebuild(
    threads === undefined ? {} : { threads: Number(threads) },
  )
  return { events, perSecond: eventsPerSecond }
}

const pace = what === 'scan' ? await scan() : await rebuild()
await stores.close()
process.stdout.write(`${JSON.stringify(pace)}\n`)
