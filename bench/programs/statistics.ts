import path from 'node:path'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { statisticsTally } from '../../domain/statistics/tally.ts'
import { totalsIn } from '../../domain/statistics/totals.ts'
import { openSqliteReadModels } from '../../infra/read-models/sqlite/store.ts'
import { collectionsOf } from '../../projections/collections.ts'
import { fingerprintsOf } from '../../projections/fingerprints.ts'
import { createTallying, type TalliedDocuments } from '../../projections/tallying.ts'
import { median } from '../statistics.ts'

/**
 * Adds up visits of a funnel of four steps over thirty days, and asks for the numbers of the last thirty days. Takes a directory, the number of visits
 * and the seconds to ask for. Prints an `Asked`.
 */
export interface Asked {
  readonly perSecond: number
  readonly p50: number
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FUNNEL = 1
const STEPS = [1, 2, 3, 4]
const NOW = Date.UTC(2026, 2, 31, 12, 17, 41, 283)
const AT_ONCE = 2000

const [, , directory = '.', visits = '10000', seconds = '5'] = process.argv
const collections = collectionsOf([], [statisticsTally])
const store = await openSqliteReadModels(path.join(directory, 'views.db'), collections)
const building = await store.rebuild(fingerprintsOf([], [statisticsTally]))

/** Random numbers that are the same in every run (mulberry32). */
let state = 7
const next = (): number => {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

let position = 0
const viewed = (session: number, step: number, at: number, previous: number | null): RecordedEvent => ({
  ...{
    id: String(position),
    type: 'PageViewed',
    stream: `visits/session-${session}`,
    revision: 0,
    position: position++,
  },
  metadata: { at: new Date(at + 1000).toISOString(), actor: 'system', $correlationId: 'c', $causationId: 'c' },
  data: {
    ...{ funnel_id: FUNNEL, show_page_step_id: step, live_mode: true, bot: false, consent: true },
    viewed_at: new Date(at).toISOString(),
    previous_at: previous === null ? null : new Date(previous).toISOString(),
  },
})

/** Yields the views of sessions, of which every third looks at a step again within some minutes. */
function* views(count: number): Generator<RecordedEvent> {
  for (let session = 1; position < count; session++) {
    const start = NOW - 30 * DAY - DAY + next() * 31 * DAY
    for (const step of STEPS.slice(0, 1 + Math.floor(next() * STEPS.length))) {
      const at = Math.floor(start + step * next() * MINUTE)
      yield viewed(session, step, at, null)
      if (next() < 0.33) yield viewed(session, step, Math.floor(at + 1 + next() * 15 * MINUTE), at)
    }
  }
}

/** Documents of a batch, as the projection holds them. */
class Batch implements TalliedDocuments {
  readonly #known = new Map<string, Parameters<TalliedDocuments['put']>[2] | undefined>()
  readonly changes = new Map<string, Parameters<typeof building.apply>[0][number]>()
  async loadAll(wanted: ReadonlyMap<string, ReadonlySet<number | string>>): Promise<void> {
    for (const [collection, ids] of wanted) {
      const missing = [...ids].filter((id) => !this.#known.has(`${collection} ${id}`))
      const found = await building.getMany(collection, missing)
      for (const [index, id] of missing.entries()) this.#known.set(`${collection} ${id}`, found[index])
    }
  }
  get(collection: string, id: number | string) {
    return this.#known.get(`${collection} ${id}`) ?? undefined
  }
  put(...[collection, id, document, at]: Parameters<TalliedDocuments['put']>) {
    const key = `${collection} ${id}`
    this.#known.set(key, document)
    this.changes.set(key, { collection, id, document, position: at })
  }
}

const tallying = createTallying([statisticsTally])
const begun = performance.now()
let events: RecordedEvent[] = []
const flush = async () => {
  const batch = new Batch()
  await tallying.add(events, batch)
  await building.apply([...batch.changes.values()], position - 1)
  events = []
}
for (const event of views(Number(visits))) {
  events.push(event)
  if (events.length === AT_ONCE) await flush()
}
await flush()
const perSecond = (position * 1000) / (performance.now() - begun)
await building.ready()
await building.takeOver()

const times: number[] = []
const end = performance.now() + Number(seconds) * 1000
while (performance.now() < end) {
  // Edges anywhere within a minute, as `now` has them.
  const now = NOW - Math.floor(next() * MINUTE)
  const started = performance.now()
  await totalsIn(
    { funnelId: FUNNEL, stepIds: STEPS, live: true, window: { from: now - 30 * DAY, to: now } },
    store.live,
  )
  times.push(performance.now() - started)
  await new Promise((go) => setImmediate(go))
}
await store.close()
const asked: Asked = { perSecond, p50: median(times) }
process.stdout.write(`${JSON.stringify(asked)}\n`)
